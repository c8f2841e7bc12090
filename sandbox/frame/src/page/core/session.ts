/** The signed-in user, from the handshake and the token of each operation. */
import { fromBase64Url, KeybayError } from '@keybay/kernel/spec'
import { tokenMissing } from '../errors/errors.js'

export interface Session {
  /** Takes a token; the user it names is whose shares are used from here on. @returns true if that is another user than before */
  take(token: string): boolean
  /**
   * The user of an operation's token. It must be the one of the session: pages sign out and in again by `take`.
   *
   * @throws KeybayError `frame_token_missing`
   */
  userOf(token: string): string
  forget(): void
}

/**
 * `sub` of a token. The token is not verified here: it chooses which of this browser's records are read, and those are of
 * no use without a relay, which does verify it.
 *
 * @throws KeybayError `frame_token_missing`
 */
function subjectOf(token: string): string {
  try {
    const [, body = ''] = token.split('.')
    const subject: unknown = Reflect.get(JSON.parse(new TextDecoder().decode(fromBase64Url(body))), 'sub')
    if (typeof subject === 'string' && /^[\w:.@-]{1,128}$/.test(subject)) return subject
  } catch {
    // As if there were none.
  }
  throw new KeybayError(tokenMissing)
}

export function createSession(): Session {
  let user: string | undefined
  return {
    take(token) {
      const before = user
      user = subjectOf(token)
      return user !== before
    },
    userOf(token) {
      if (user === undefined || subjectOf(token) !== user) throw new KeybayError(tokenMissing)
      return user
    },
    forget() {
      user = undefined
    },
  }
}
