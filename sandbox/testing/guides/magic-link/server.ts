/** The server's half: sends links, and redeems each once. Mount the two functions as routes. */
import { createHash, randomBytes } from 'node:crypto'

export interface MagicLinksOptions {
  /** Origins of your app. A link leads nowhere else. */
  readonly origins: readonly string[]
  sendMail(to: string, text: string): Promise<void>
  /** Issues a JWT for the user: `iss` and `aud` as in the environment's `externalJwt`, `sub` the user's id, `exp` soon. */
  issueToken(email: string): Promise<string>
}
export interface MagicLinks {
  /** @throws RangeError if the link would leave the app */
  send(request: { readonly email: string; readonly state: string; readonly returnUrl: string }): Promise<object>
  /** @throws RangeError if the link is unknown, used or expired */
  redeem(request: { readonly state: string; readonly code: string }): Promise<{ readonly token: string }>
}

const LIFETIME_MS = 600_000

function hash(state: string, code: string): string {
  return createHash('sha256').update(`${state} ${code}`).digest('hex')
}

export function createMagicLinks({ origins, sendMail, issueToken }: MagicLinksOptions): MagicLinks {
  // Keep them in your database, and limit how many mails an address and a client get.
  const links = new Map<string, { readonly email: string; readonly expiresAt: number }>()
  return {
    async send({ email, state, returnUrl }) {
      const url = new URL(returnUrl)
      if (!origins.includes(url.origin)) throw new RangeError('This address is not of the app.')
      const code = randomBytes(32).toString('base64url')
      links.set(hash(state, code), { email, expiresAt: Date.now() + LIFETIME_MS })
      url.searchParams.set('magic_code', code)
      await sendMail(email, `Open this link in the browser where you signed in:\n${url.href}`)
      return {}
    },
    async redeem({ state, code }) {
      const key = hash(state, code)
      const link = links.get(key)
      links.delete(key)
      if (!link || link.expiresAt < Date.now()) throw new RangeError('This link is used or has expired.')
      return { token: await issueToken(link.email) }
    },
  }
}
