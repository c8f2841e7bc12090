/** Fields that several routes accept. */
import { WAAS_WALLET_NAME } from '@keybay/kernel/spec'
import * as v from 'valibot'

export const id = v.pipe(v.string(), v.uuid())
export const time = v.pipe(v.number(), v.description('ms since epoch'))
/** Six digits; users may put spaces between them. */
export const code = v.pipe(v.string(), v.maxLength(32))
export const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))
/** Name that the user gives a wallet; it must not imitate the name of an embedded wallet. */
export const walletLabel = v.pipe(
  name,
  v.check(text => text !== WAAS_WALLET_NAME, 'This name is reserved'),
)

export function base64url(most: number) {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.regex(/^[\w-]+={0,2}$/))
}

export function base64(most: number) {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.regex(/^[A-Za-z0-9+/]+={0,2}$/))
}
/** Fields of each request that ends a sign-in. */
export const signInFields = {
  storage: v.optional(
    v.pipe(
      v.picklist(['body', 'cookie']),
      v.description('cookie: the tokens come as HttpOnly cookies, not in the body'),
    ),
    'body',
  ),
  sessionId: v.optional(
    v.pipe(id, v.description('Session of this key, to confirm with a recent sign-in instead of beginning another')),
  ),
}
