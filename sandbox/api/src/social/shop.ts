/**
 * Checks Shopify's return parameters, signed with the app's secret.
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
import { createHmac } from 'node:crypto'
import { sameText } from '../security/hashes.js'
import { notVerified } from './fault.js'

const SIGNED = ['code', 'host', 'shop', 'state', 'timestamp']
/** Maximum age of a response, in seconds. */
const OLDEST = 600

/** @throws ApiError `verification_error` */
export function verifyShopAnswer(
  params: Readonly<Record<string, string>>,
  { secret, shop, now }: { readonly secret: string; readonly shop: string | undefined; readonly now: number },
): void {
  const text = SIGNED.filter(name => params[name] !== undefined)
    .map(name => `${name}=${params[name]}`)
    .join('&')
  if (!sameText(createHmac('sha256', secret).update(text).digest('hex'), params.hmac ?? '')) throw notVerified('hmac')
  if (params.shop !== shop) throw notVerified('shop')
  // Negated, so that a timestamp that is not a number is refused too.
  if (!(Math.abs(now / 1000 - Number(params.timestamp)) <= OLDEST)) throw notVerified('time')
}
