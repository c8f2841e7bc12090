/** Types that the compiler must infer, and code that it must refuse. Checked by `tsc -b`; nothing here runs. */
import {
  type AnyCore,
  type Connection,
  type Connector,
  type Core,
  type Credential,
  createKeybay,
  definePlugin,
  type LoginConnector,
  type Plugin,
  type SessionState,
  type WalletConnector,
} from '../src/index.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function holds<_ extends true>(): void {}

interface AlphaApi {
  hello(): string
}
declare module '../src/kernel.js' {
  interface KeybayPlugins {
    alpha: AlphaApi
  }
}
declare const wallet: WalletConnector<'beta', 'solana:signMessage'>
declare const login: LoginConnector<'login:x', { code: string }>
declare const foundConnector: WalletConnector<`found:${string}`>

function alpha(): Plugin<'alpha', AlphaApi> {
  return definePlugin({ id: 'alpha', version: '0.1.0', setup: () => ({ api: { hello: () => 'hi' } }) })
}

function beta(): Plugin<'beta', { n: number }, typeof wallet | typeof login, 'alpha'> {
  return definePlugin({
    id: 'beta',
    version: '0.1.0',
    requires: ['alpha'],
    setup(kernel) {
      holds<Same<ReturnType<typeof kernel.plugins.alpha.hello>, string>>()
      // @ts-expect-error gamma is not in requires
      void kernel.plugins.gamma
      return { api: { n: 1 }, connectors: [wallet, login] }
    },
  })
}

function member<const Id extends string>(
  id: Id,
): Plugin<`group:${Id}`, AlphaApi, LoginConnector<Id>, 'alpha', 'group'> {
  return definePlugin({ id: `group:${id}`, version: '0.1.0', requires: ['alpha'], apiKey: 'group', setup: () => ({}) })
}

function runtime(): Plugin<'runtime', undefined, typeof foundConnector> {
  return definePlugin({ id: 'runtime', version: '0.1.0', setup: () => ({}) })
}

const keybay = createKeybay({
  appName: 'x',
  plugins: [
    beta(),
    alpha(),
    runtime(),
    member('one'),
    member('two'),
    definePlugin({ id: 'inline', version: '1', setup: () => ({ api: { f: (n: number) => n + 1 } }) }),
  ],
})
holds<Same<typeof keybay.alpha, AlphaApi>>()
holds<Same<typeof keybay.beta.n, number>>()
holds<Same<Parameters<typeof keybay.inline.f>, [n: number]>>()
// @ts-expect-error a plugin without an api has no key
void keybay.runtime

// Plugins with one API key have one API.
holds<Same<typeof keybay.group, AlphaApi>>()
// @ts-expect-error the id is no key where there is an API key
void keybay['group:one']

const staticOne = keybay.connectors.get('beta')
holds<Same<typeof staticOne, typeof wallet>>()
const message = staticOne.wallet.features['solana:signMessage'].signMessage
void message
const runtimeOne = keybay.connectors.get('found:phantom')
holds<Same<typeof runtimeOne, typeof foundConnector | undefined>>()
const other = keybay.connectors.get('never-heard-of')
holds<Same<typeof other, Connector | undefined>>()
declare const anyId: string
holds<Same<ReturnType<typeof keybay.connectors.get<typeof anyId>>, Connector | undefined>>()

function connecting() {
  return keybay.connect('beta')
}
holds<Same<ReturnType<typeof connecting>, Promise<Connection>>>()

function signingIn() {
  return keybay.connect('login:x')
}
holds<Same<ReturnType<typeof signingIn>, Promise<SessionState>>>()

function either() {
  return keybay.connect(anyId)
}
holds<Same<ReturnType<typeof either>, Promise<Connection | SessionState>>>()

keybay.on('connection:opened', event => {
  holds<Same<typeof event.resumed, boolean>>()
})
// @ts-expect-error no such event
keybay.on('connection:exploded', () => {})

// @ts-expect-error keybay: plugin 'beta' requires plugin 'alpha': add it to plugins
createKeybay({ appName: 'x', plugins: [beta()] })
// A list that is spread is checked against all plugins.
const members = [member('one'), member('two')]
createKeybay({ appName: 'x', plugins: [alpha(), ...members] })
// @ts-expect-error keybay: plugin 'group:one' requires plugin 'alpha': add it to plugins
createKeybay({ appName: 'x', plugins: [runtime(), ...members] })
// @ts-expect-error keybay: plugin 'group:one' requires plugin 'alpha': add it to plugins
createKeybay({ appName: 'x', plugins: [member('one')] })
// @ts-expect-error the API key would hide keybay.session
createKeybay({ appName: 'x', plugins: [definePlugin({ id: 'a', version: '1', apiKey: 'session', setup: () => ({}) })] })
// @ts-expect-error the id would hide keybay.connect
createKeybay({ appName: 'x', plugins: [definePlugin({ id: 'connect', version: '1', setup: () => ({}) })] })
// @ts-expect-error appName is missing
createKeybay({ plugins: [] })

const core: Core = createKeybay({ appName: 'x', plugins: [] })
const loose: AnyCore = keybay
void [core, loose]

/** The proof of each login method. */
export const credentials: readonly Credential[] = [
  { method: 'externalUser', proof: { token: 'a' } },
  { method: 'blockchain', proof: 'wallet-standard:phantom' },
  { method: 'oauth', provider: 'google', proof: { status: 'authenticated' } },
  // @ts-expect-error the token must be a field of an object
  { method: 'externalUser', proof: 'token' },
  // @ts-expect-error the field is `token`
  { method: 'externalUser', proof: { jwt: 'a' } },
  // @ts-expect-error a wallet connector is named by its ID
  { method: 'blockchain', proof: { connectorId: 'phantom' } },
  // @ts-expect-error an e-mail address is proved by a response of the API
  { method: 'email', proof: 'a@example.com' },
  // @ts-expect-error a passkey is proved by a response of the API
  { method: 'passkey', proof: ['response'] },
  // @ts-expect-error there must be a proof
  { method: 'phoneNumber' },
]
declare const emailCredential: Credential<'email'>
holds<Same<typeof emailCredential.proof, Readonly<Record<string, unknown>>>>()
// @ts-expect-error a credential of another method
export const passkeyCredential: Credential<'passkey'> = emailCredential
