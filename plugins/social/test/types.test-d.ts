/** Types that the compiler infers, and code that it refuses. Checked by `tsc`; nothing here runs. */
import { account } from '@keybay/account'
import { createKeybay, type Plugin, type SessionState } from '@keybay/kernel'
import { github, google, type SocialApi, type SocialConnector, social, socialProvider } from '../src/index.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function holds<_ extends true>(): void {}

const plugin: Plugin<'social:google', SocialApi, SocialConnector<'google'>, 'account', 'social'> = google()
const acme = socialProvider({ id: 'acme', name: 'Acme', colour: '#0a7', icon: 'M2 2h20v20H2z' })
const keybay = createKeybay({
  appName: 'x',
  plugins: [social({ mode: 'redirect' }), plugin, acme, github(), account()],
})

// One API for all providers, under their shared key.
holds<Same<typeof keybay.social, SocialApi>>()
// @ts-expect-error the plugin's id is no key
void keybay['social:google']

// An editor completes the ids of the connectors.
type ConnectorId = Parameters<typeof keybay.connectors.get>[0]
holds<Same<Extract<ConnectorId, `social:${string}`>, 'social:google' | 'social:acme' | 'social:github'>>()
const connector = keybay.connectors.get('social:acme')
holds<Same<typeof connector, SocialConnector<'acme'>>>()
function signIn() {
  return keybay.connect('social:github')
}
holds<Same<ReturnType<typeof signIn>, Promise<SessionState>>>()

// Options alone bring no API.
const without = createKeybay({ appName: 'x', plugins: [account(), social()] })
// @ts-expect-error no provider, no `keybay.social`
void without.social

// @ts-expect-error keybay: plugin 'social:google' requires plugin 'account': add it to plugins
createKeybay({ appName: 'x', plugins: [google()] })
// @ts-expect-error the providers are plugins of their own
social([google()])
