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
  /** Names by user, as the product API says. */
  const names = new Map<string, string>()
  return {
    get user(): string | undefined {
      return user
    },
    /** Returns what the session's user calls the account; undefined until the product API has said so. */
    get account(): string | undefined {
      return user === undefined ? undefined : names.get(user)
    },
    name(of: string, account: string | undefined): void {
      if (account !== undefined) names.set(of, account)
    },
    /** Sets the user from a token. Later operations use this user's shares. @returns true if the user changed */
    take(token: string): boolean {
      const before = user
      user = getSubject(token)
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
      names.clear()
    },
  }
}
