/** The parts of the header that need no state; the server sends them before the app's code. */
import { Glyph, type GlyphName } from '../design/index.js'
import { Link } from '../routing/link.js'

export function Brand() {
  return (
    <Link to="/" className="brand" aria-label="Keybay sandbox, overview">
      <img src="/favicon.svg" alt="" width="32" height="32" fetchPriority="low" />
      <span>Keybay</span>
    </Link>
  )
}

const pages: readonly { readonly to: string; readonly icon: GlyphName; readonly name: string }[] = [
  { to: '/', icon: 'home', name: 'Overview' },
  { to: '/send', icon: 'send', name: 'Send' },
  { to: '/receive', icon: 'receive', name: 'Receive' },
  { to: '/sign', icon: 'sign', name: 'Sign' },
  { to: '/explorer', icon: 'explore', name: 'Explorer' },
  { to: '/lab', icon: 'lab', name: 'Lab' },
]
/** Returns the menu entry that a page belongs to. */
function within(path: string): string {
  return /^\/(tx|address|block)\//.test(path) ? '/explorer' : path === '/activity' ? '/' : path
}

/** Main menu: beside the logo on a wide screen, at the bottom within thumb's reach on a narrow one. */
export function Nav({ path }: { readonly path: string }) {
  const current = within(path)
  return (
    <nav className="nav" aria-label="Main">
      <ul>
        {pages.map(({ to, icon, name }) => (
          <li key={to}>
            <Link to={to} className="nav-link" aria-current={to === current ? 'page' : undefined}>
              <Glyph name={icon} />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
