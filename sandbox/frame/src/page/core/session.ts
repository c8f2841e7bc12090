/** Tracks the signed-in user, from the handshake and the token of each operation. */
import { fromBase64Url } from '@keybay/kernel/spec'
import { frameError } from '../errors/errors.js'

/**
 * Returns `sub` of a token without verifying it. It only selects which of this browser's records are read, and those
 * are useless without a relay, which verifies the token.
 * @throws KeybayError `frame_token_missing`
 */
function getSubject(token: string): string {
  try {
    const [, body = ''] = token.split('.')
    const subject: unknown = Reflect.get(JSON.parse(new TextDecoder().decode(fromBase64Url(body))), 'sub')
    if (typeof subject === 'string' && /^[\w:.@-]{1,128}$/.test(subject)) return subject
  } catch {
    // Treat an unreadable token as a missing one.
  }
  throw frameError('frame_token_missing')
}

export type Session = ReturnType<typeof createSession>

export function createSession() {
  let user: string | undefined
  let account: Promise<string | undefined> | undefined
  return {
    get user(): string | undefined {
      return user
    },
    /** Name of the user's account. Undefined: the product API did not say it. */
    get account(): Promise<string | undefined> {
      return account ?? Promise.resolve(undefined)
    },
    /**
     * Sets the user from a token. Later operations use this user's shares.
     * @param name what the product API says that the user of this token calls the account
     * @returns true if the user changed
     */
    take(token: string, name?: Promise<string | undefined>): boolean {
      const before = user
      user = getSubject(token)
      account = name
      return user !== before
    },
    /**
     * Returns the user of an operation's token, which must be the session's user. A page changes the user with `take`.
     * @throws KeybayError `frame_token_missing`
     */
    getUser(token: string): string {
      if (user === undefined || getSubject(token) !== user) throw frameError('frame_token_missing')
      return user
    },
    forget(): void {
      user = undefined
      account = undefined
    },
  }
}
