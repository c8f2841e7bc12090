/** The provider's response: the return page reads it from its URL and posts it to the waiting page. */
import type { OAuthCompletion } from '@keybay/kernel/spec'

export type Params = Readonly<Record<string, string>>
/** S3.8, extended: third-party providers are not in the specification's list, and the API checks more than the code. */
export interface Answer extends Omit<OAuthCompletion, 'provider'> {
  readonly provider: string
  /** Everything in query and fragment: signatures, the issuer, fields of providers that send no code. */
  readonly params: Params
}
/** The API's own limits. */
const MAX_PARAMS = 40
const MAX_PARAM_LENGTH = 8192

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_PARAM_LENGTH
}

function isParams(value: unknown): value is Params {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length <= MAX_PARAMS &&
    Object.values(value).every(isText)
  )
}
/** Tells responses from the messages of frames, tools and extensions. */
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
/** Telegram's signed fields, in the fragment. https://core.telegram.org/widgets/login */
const TELEGRAM = 'tgAuthResult'

/** @param provider the last part of the redirect path */
export function readAnswer(url: URL, provider: string): Answer {
  const params = Object.fromEntries([...new URLSearchParams(url.hash.slice(1)), ...url.searchParams])
  const { code, state } = params
  // OpenID 2.0 and Telegram have their own names.
  const isDeclined = params['openid.mode'] === 'cancel' || params[TELEGRAM] === 'false'
  const error = params.error ?? (isDeclined ? 'access_denied' : params['openid.error'])
  return {
    type: TELEGRAM in params ? 'telegram_completed' : 'authorization_response',
    provider,
    params,
    ...(code !== undefined && { code }),
    ...(state !== undefined && { state }),
    ...(error !== undefined && { error }),
  }
}
