/** What comes back from a provider: read from an address by the return page, posted, and read again. */
import type { OAuthCompletion } from '@keybay/kernel/spec'

/** By their names, as the provider sent them. */
export type Params = Readonly<Record<string, string>>
/** S3.8. A third party's provider is no word of the specification's list; and the API checks more than a code. */
export interface Answer extends Omit<OAuthCompletion, 'provider'> {
  readonly provider: string
  /** All that came back, in query and fragment: signatures, the issuer, fields of providers that send no code. */
  readonly params: Params
}

/** As the API takes them. */
const MOST_PARAMS = 40
const LONGEST = 8192

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST
}

function isParams(value: unknown): value is Params {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length <= MOST_PARAMS &&
    Object.values(value).every(isText)
  )
}

/** A message that is no completion at all is somebody else's: frames, tools and extensions talk to pages, too. */
export function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null) return false
  const field = (name: string): unknown => Reflect.get(value, name)
  return (
    (field('type') === 'authorization_response' || field('type') === 'telegram_completed') &&
    isText(field('provider')) &&
    ['code', 'state', 'error'].every(name => field(name) === undefined || isText(field(name))) &&
    isParams(field('params'))
  )
}

/** What Telegram signed comes in the fragment. https://core.telegram.org/widgets/login */
const TELEGRAM = 'tgAuthResult'

/** @param provider the last part of the redirect path */
export function readAnswer(url: URL, provider: string): Answer {
  const params = Object.fromEntries([...new URLSearchParams(url.hash.slice(1)), ...url.searchParams])
  const { code, state } = params
  // OpenID 2.0 has words of its own.
  const error = params.error ?? (params['openid.mode'] === 'cancel' ? 'access_denied' : params['openid.error'])
  return {
    type: TELEGRAM in params ? 'telegram_completed' : 'authorization_response',
    provider,
    params,
    ...(code !== undefined && { code }),
    ...(state !== undefined && { state }),
    ...(error !== undefined && { error }),
  }
}
