/** One plugin for all providers. What a page loads at once; the flow loads with the first click, the marks after the page. */
import type {} from '@keybay/account'
import { aborted, KeybayError, type LoginConnector, type Plugin, redirectUnexpected } from '@keybay/kernel'
import type { SocialApi, SocialInput, SocialMode } from './api.js'
import type { Engine } from './engine.js'
import type { KernelErrors } from './faults.js'
import { MARK } from './mark.js'
import { openPopup } from './popup.js'
import type { SocialProvider } from './provider.js'
import { VERSION } from './version.js'

export interface SocialOptions {
  /**
   * How the provider is visited: in a window of 500×600 (S2.4), or by leaving the page (S2.5). A function is asked in the click.
   * Default `popup`.
   */
  readonly mode?: SocialMode | (() => SocialMode)
  /**
   * Where the providers send people back to, each at its own path below: a page of yours that calls `finishSocialSignIn` of
   * `@keybay/social/return`. Default `/auth/social`, so `https://acme.example/auth/social/google`.
   */
  readonly redirectUrl?: string
  /** How long the window may stay open, ms. Default 300000. */
  readonly windowTimeout?: number
}
export type SocialConnector<Id extends string = string> = LoginConnector<`social:${Id}`, SocialInput | undefined>

/** Until the provider's own mark is there. */
const DISC = 'M12 2a10 10 0 000 20 10 10 0 000-20'

function paint(colour: string, path: string) {
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${colour}" fill-rule="evenodd" d="${path}"/></svg>`)}`
}

// Arguments and results apart, so that the compiler sees them belong together under one name.
type Arguments = { readonly [K in keyof Engine]: Parameters<Engine[K]> }
type Results = { readonly [K in keyof Engine]: Awaited<ReturnType<Engine[K]>> }
type Calls = { readonly [K in keyof Engine]: (...args: Arguments[K]) => Promise<Results[K]> }

/**
 * Signing in with social providers; linking an account, when somebody is signed in. Each is a connector `social:<provider>`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), social([google(), github()])] })
 * await keybay.connect('social:google') // in a click: it opens a window
 */
export function social<const Id extends string>(
  providers: readonly SocialProvider<Id>[],
  options: SocialOptions = {},
): Plugin<'social', SocialApi, SocialConnector<Id>, 'account'> {
  return {
    id: 'social',
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup(kernel) {
      const { connectors } = kernel
      const errors: KernelErrors = [KeybayError, aborted, redirectUnexpected]
      const preload = () => import('./engine.js')
      const later =
        <K extends keyof Engine>(name: K) =>
        (...args: Arguments[K]): Promise<Results[K]> =>
          preload().then(module => {
            const engine: Calls = module.engineOf(kernel, providers, options, errors)
            return engine[name](...args)
          })
      kernel.onStart(() => {
        const rest = window.requestIdleCallback ?? setTimeout // Safari has none
        rest(() => {
          for (const { id, colour, icon } of providers)
            icon().then(
              ({ path }) => connectors.update(`social:${id}`, { icon: paint(colour, path) }),
              () => {},
            )
        })
        return undefined
      })
      const open = ({ redirectOnly }: SocialProvider) => {
        const { mode } = options
        const now = typeof mode === 'function' ? mode() : mode
        return redirectOnly || now === 'redirect' ? undefined : openPopup()
      }
      return {
        api: {
          // Not later: a window is opened in the click.
          signIn: (provider, input, { signal } = {}) =>
            connectors.get(`social:${provider}`)
              ? kernel.connections.connect(`social:${provider}`, input, signal).then(() => kernel.session.current)
              : later('refuse')(provider),
          unlink: later('unlink'),
        },
        connectors: providers.map(provider => {
          const { id, name, colour, asks } = provider
          const visit = () => open(provider)
          return {
            kind: 'login',
            id: `social:${id}`,
            name,
            icon: paint(colour, DISC),
            readiness: 'ready',
            method: 'oauth',
            provider: id,
            preload,
            gesture: () => (asks ? visit : visit()),
            claims(url) {
              const [provider, state] = url.searchParams.get(MARK)?.split('.') ?? []
              return provider === id && (state || true)
            },
            connect(input, ctx) {
              // Still in the click; without an answer to what is asked first, the window opens in the click that answers.
              const opened = asks && input?.[asks.field] ? visit() : ctx.gesture
              ctx.signal.addEventListener('abort', () => Object(opened).close?.())
              return later('connect')(provider, input, ctx, opened)
            },
            resume: (url, ctx) => later('resume')(provider, url, ctx),
          }
        }),
      }
    },
  }
}
