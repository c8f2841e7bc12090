/** R1 as its peer sees it: any request of a frame, forwarded under R1's own keys. */
import type { RelayKeys, User, World } from '../world.js'
import { type Answer, type Asked, getHeaders, jws, send, sha256 } from './request.js'

interface Forwarded {
  readonly user: User
  readonly body: object
  readonly operation: Asked
  /** True for a delegate's request: without a token. */
  readonly alone?: boolean
  /** What R1 adds. */
  readonly extra?: object
  /** R1's claim of a second factor. */
  readonly mfa?: string | undefined
}

/** Returns R2's response. */
export function askAsR1(
  { r2 }: World,
  { recordKey, kid }: RelayKeys,
  path: string,
  { user, body, operation, alone = false, extra = {}, mfa }: Forwarded,
): Promise<Answer> {
  const now = r2.clock.now()
  const rawBody = JSON.stringify(body)
  const { 'content-type': _, authorization, ...signatures } = getHeaders(user, now, rawBody, operation)
  const headers = { ...signatures, ...(!alone && { authorization }) }
  const forwarded = JSON.stringify({ environmentId: 'local', path, rawBody, headers, mfa, extra })
  const claims = { aud: 'R2', bh: sha256(forwarded), iat: Math.floor(now / 1000) }
  const signature = jws(recordKey, 'keybay-peer+jwt', claims, { kid })
  return send(`${r2.internalUrl}/peer`, { 'content-type': 'application/json', 'x-keybay-peer': signature }, forwarded)
}
