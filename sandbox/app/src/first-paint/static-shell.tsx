/** Page that the server sends before the app's code: it has the size of the app that replaces it, and nothing in it reacts. */
import { renderToStaticMarkup } from 'react-dom/server'
import { ConnectButton } from '../connect/connect-provider.js'
import { Welcome } from '../overview/welcome.js'
import { Brand, Nav } from '../shell/nav.js'
import { SignInButton } from '../sign-in/sign-in-provider.js'

function StaticShell() {
  return (
    <div className="shell" inert>
      <section className="status-bar">
        <div className="bar" />
      </section>
      <header className="header">
        <div className="bar">
          <Brand />
          <Nav path="" />
          <div className="header-account">
            <ConnectButton isQuiet />
            <SignInButton />
          </div>
        </div>
      </header>
      <main>
        <Welcome />
      </main>
    </div>
  )
}

export function renderShell(): string {
  // No code reacts to a click yet.
  return renderToStaticMarkup(<StaticShell />).replaceAll('<button ', '<button disabled="" ')
}
