/** Magic link plugin: signs users in with a link in a mail, which they open in the same browser. */
import {
  type Credential,
  definePlugin,
  KeybayError,
  type LoginConnector,
  type Plugin,
  redirectUnexpected,
  requestFailed,
} from '@keybay/kernel'
import { field, invalidEmail } from '@keybay/kernel/spec'
import { ICON } from '../icon.js'
import { VERSION } from '../version.js'
import type {} from './prompts.js'

export interface MagicLinkOptions {
  /** URL of the routes of your server: `links` and `tokens`. */
  readonly serverUrl: string
  /** Page that says “Check your mail”. */
  readonly sentUrl: string
}
/** Without it, a `magic-link` prompt asks the user. */
export type MagicLinkInput = { readonly email: string } | undefined
export type MagicLinkConnector = LoginConnector<'magic-link', MagicLinkInput>

const [STATE, CODE] = ['magic_link', 'magic_code']

function clearAddress(): void {
  const url = new URL(location.href)
  for (const name of [STATE, CODE]) url.searchParams.delete(name)
  history.replaceState(history.state, '', url)
}

/**
 * @example
 * const keybay = createKeybay({ appName: 'My app', plugins: [account(), magicLink({ serverUrl, sentUrl: '/check-your-mail' })] })
 * await keybay.account.signIn('magic-link')
 */
export function magicLink({
  serverUrl,
  sentUrl,
}: MagicLinkOptions): Plugin<'magic-link', undefined, MagicLinkConnector> {
  const post = async (route: string, body: object, signal: AbortSignal): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${serverUrl}/${route}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    })
    if (!response.ok)
      throw new KeybayError(requestFailed, { connectorId: 'magic-link', detail: String(response.status) })
    return response.json()
  }
  const connector: MagicLinkConnector = {
    kind: 'login',
    id: 'magic-link',
    name: 'Email link',
    icon: ICON,
    readiness: 'ready',
    method: 'externalUser',
    provider: 'magic-link',
    claims: url => url.searchParams.get(STATE) || false,
    async connect(input, { signal, prompt, redirect }) {
      signal.throwIfAborted()
      let email = input?.email
      for (let error: KeybayError | undefined; !email?.includes('@'); error = new KeybayError(invalidEmail))
        email = await prompt({ type: 'magic-link', error })
      const state = crypto.randomUUID()
      const returnUrl = new URL(location.href)
      returnUrl.searchParams.set(STATE, state)
      await post('links', { email, state, returnUrl }, signal)
      return redirect(sentUrl, state)
    },
    async resume(url, { signal, attempt }): Promise<Credential> {
      clearAddress()
      // Another user may have asked for this link, so that the user of this browser signs in to their account.
      if (!attempt) throw new KeybayError(redirectUnexpected, { connectorId: 'magic-link' })
      const [state, code] = [STATE, CODE].map(name => url.searchParams.get(name))
      const token = field(await post('tokens', { state, code }, signal), 'token')
      if (typeof token !== 'string') throw new KeybayError(requestFailed, { connectorId: 'magic-link' })
      return { method: 'externalUser', provider: 'magic-link', proof: { token } }
    },
  }
  return definePlugin({ id: 'magic-link', version: VERSION, setup: () => ({ connectors: [connector] }) })
}
