/** One plugin per provider. Only this loads with the page; the flow (`engine.ts`) loads with the first click. */
import type {} from '@keybay/account'
import type { LoginConnector, Plugin } from '@keybay/kernel'
import type { SocialApi, SocialInput, SocialMode } from './api.js'
import { MARK } from './mark.js'
import { openPopup } from './popup.js'
import type { SocialProviderDefinition } from './provider.js'
import { getShared, type SharedSocial } from './shared.js'
import { VERSION } from './version.js'

export interface SocialOptions {
  /**
   * How to visit the provider: in a window of 500×600 (S2.4), or by leaving the page (S2.5). A function is called in each click.
   * Default `popup`.
   */
  readonly mode?: SocialMode | (() => SocialMode)
  /**
   * URL of the page that calls `finishSocialSignIn` of `@keybay/social/return`. Each provider redirects to its own path below it.
   * Default `/auth/social`, so `https://acme.example/auth/social/google`.
   */
  readonly redirectUrl?: string
  /** How long the window may stay open, in ms. Default 300000. */
  readonly windowTimeout?: number
  /**
   * Whether the window can reach the page that opened it. If not, no page of a provider can navigate yours, and the response
   * comes by broadcast alone, so the return page must have your page's origin. Default true.
   */
  readonly opener?: boolean
}
/** Settings that a host may change in a provider of this package. */
export type ProviderOptions = Partial<Pick<SocialProviderDefinition, 'name' | 'colour' | 'scopes'>>
export type SocialConnector<Id extends string = string> = LoginConnector<`social:${Id}`, SocialInput | undefined>
export type SocialPlugin<Id extends string = string> = Plugin<
  `social:${Id}`,
  SocialApi,
  SocialConnector<Id>,
  'account',
  'social'
>

/**
 * Sets the options of all providers. Optional; its place in `plugins` does not matter.
 * @example
 * createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), google(), github(), social({ mode: 'redirect' })] })
 */
export function social(options: SocialOptions = {}): Plugin<'social:options', undefined, never, 'account'> {
  return {
    id: 'social:options',
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup(kernel) {
      getShared(kernel).options = options
      return {}
    },
  }
}
/**
 * Makes a plugin of a provider: one connector `social:<id>` that signs in, or links the account to the signed-in user. Use it to
 * add a provider of your own; the API needs its server half (`@keybay/social/server`).
 * @example
 * const acme = () => socialProvider({ id: 'acme', name: 'Acme', colour: '#0a7', icon: 'M2 2h20v20H2z' })
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), google(), acme()] })
 * await keybay.connect('social:acme') // in a click: it opens a window
 */
export function socialProvider<const Id extends string>(provider: SocialProviderDefinition<Id>): SocialPlugin<Id> {
  return {
    id: `social:${provider.id}`,
    version: VERSION,
    kit: true,
    requires: ['account'],
    apiKey: 'social',
    setup(kernel) {
      const shared = getShared(kernel)
      shared.providers.push(provider)
      return { api: shared.api, connectors: [createConnector(shared, provider)] }
    },
  }
}

function createConnector<const Id extends string>(
  shared: SharedSocial,
  provider: SocialProviderDefinition<Id>,
): SocialConnector<Id> {
  const { id, name, colour, icon, asks, redirectOnly } = provider
  /** Opens the window, or returns undefined where the page is left. */
  const visit = () => {
    const { mode } = shared.options
    if (!redirectOnly && (typeof mode === 'function' ? mode() : mode) !== 'redirect') return openPopup()
  }
  return {
    kind: 'login',
    id: `social:${id}`,
    name,
    icon: `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path fill='${encodeURIComponent(colour)}' fill-rule='evenodd' d='${icon}'/></svg>`,
    readiness: 'ready',
    method: 'oauth',
    provider: id,
    preload: shared.loadEngine,
    gesture: () => (asks ? visit : visit()),
    claims(url) {
      const [claimed, state] = url.searchParams.get(MARK)?.split('.') ?? []
      return claimed === id && (state || true)
    },
    async connect(input, ctx) {
      // Without an answer to the provider's question, the window opens in the click that answers it.
      const opened = asks && input?.[asks.field] ? visit() : ctx.gesture
      ctx.signal.addEventListener('abort', () => Object(opened).close?.())
      return (await shared.loadEngine()).connect(provider, input, ctx, opened)
    },
    resume: async (url, ctx) => (await shared.loadEngine()).resume(provider, url, ctx),
  }
}
