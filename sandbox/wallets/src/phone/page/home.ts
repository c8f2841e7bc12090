/** Phone's home screen, shown when no app sends a request: its wallets, their known apps and their behaviour. */
import { h, p } from '../../dom.js'
import { openKeyring } from '../../keyring.js'
import { accountRow } from '../../parts.js'
import { BRANDS } from './brands.js'
import { MANNERS } from './manners.js'
import { card, type Screen } from './screen.js'
import { chooseManner, keyringName, openLinks, readManner } from './settings.js'

export function showHome(screen: Screen): void {
  const wallets = BRANDS.map(brand => {
    const { keys } = openKeyring(keyringName(brand), { accounts: 1, hardware: false })
    const links = openLinks(brand)
    const apps = [...new Set(links.all.map(({ appUrl, cluster }) => `${appUrl} on ${cluster}`))]
    const forget = () => {
      links.clear()
      showHome(screen)
    }
    return card(
      brand.name,
      ...keys.map(({ address }, index) => accountRow(`Account ${index + 1}`, address)),
      p('small', apps.length ? `Connected: ${apps.join(', ')}` : 'No app is connected.'),
      apps.length > 0 && h('button', { type: 'button', onclick: forget }, `Forget the apps of ${brand.name}`),
    )
  })
  const chosen = readManner()
  const options = MANNERS.map(({ id, label }) => h('option', { value: id, selected: id === chosen.id }, label))
  const select = h('select', {}, ...options)
  select.addEventListener('change', () => chooseManner(select.value))
  screen.show(
    h('h1', {}, 'Phone'),
    p('lead', 'The wallets of a phone, for the sandbox only: their keys lie unencrypted in storage.'),
    card('How the wallets answer', h('label', {}, 'Answers come', select)),
    ...wallets,
  )
}
