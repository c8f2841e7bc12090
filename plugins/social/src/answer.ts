/** What comes back from a provider: read from an address by the return page, posted, and read again. */
import type { OAuthCompletion } from '@keybay/kernel/spec'

/** S3.8. A third party's provider is no word of the specification's list. */
export type Answer = Omit<OAuthCompletion, 'provider'> & { readonly provider: string }

/** Longer ones are no answers, characters. */
const LONGEST = 16_384
const isText = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && value.length <= LONGEST)
const FIELDS = new Set(['type', 'provider', 'code', 'state', 'error'])

/** A message that is no completion at all is somebody else's: frames, tools and extensions talk to pages, too. */
export const isAnswer = (value: unknown): value is Answer => {
  if (typeof value !== 'object' || value === null) return false
  const field = (name: string): unknown => Reflect.get(value, name)
  return (
    (field('type') === 'authorization_response' || field('type') === 'telegram_completed') &&
    typeof field('provider') === 'string' &&
    ['code', 'state', 'error'].every(name => isText(field(name))) &&
    Object.keys(value).every(name => FIELDS.has(name))
  )
}

/** Telegram puts what it signed into the fragment: base64url of JSON. https://core.telegram.org/widgets/login */
const TELEGRAM = 'tgAuthResult'

/**
 * What an address says. `code` is the provider's, where it sends one and nothing besides that the API has to check; else all
 * that it sent, as a query: signed fields (Steam, Farcaster), a signed address (Shopify).
 *
 * @param provider the last part of the redirect path
 */
export const readAnswer = (url: URL, provider: string): Answer => {
  const query = new URLSearchParams(url.search)
  const fragment = new URLSearchParams(url.hash.slice(1))
  const get = (name: string) => query.get(name) ?? fragment.get(name) ?? undefined
  const state = get('state')
  const error = get('error') ?? get('openid.error') ?? (get('openid.mode') === 'cancel' ? 'access_denied' : undefined)
  const signed = fragment.get(TELEGRAM)
  const whole = new URLSearchParams([...query].filter(([name]) => name !== 'state'))
  const isWhole = !query.has('code') || query.has('hmac')
  const code = signed ?? (isWhole ? whole.toString() : get('code'))
  return {
    type: signed === null ? 'authorization_response' : 'telegram_completed',
    provider,
    ...(state !== undefined && { state }),
    ...(error !== undefined ? { error } : code && { code }),
  }
}
