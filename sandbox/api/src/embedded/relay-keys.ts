/**
 * Fetches R1's record keys if no configuration pins them. R1 creates its keys at its first start, so on one machine the
 * API requests them over the loopback interface. Elsewhere the keys are configured, because a relay may not vouch for
 * itself.
 */
import { type Clock, isLocalName } from '@keybay/sandbox-service'
import * as v from 'valibot'
import { getThumbprint, type PublicJwk } from '../security/jws.js'

/** Returns R1's public keys. `kid`: key that a record names; an unknown key causes another request. */
export type RecordKeys = (kid: string | undefined) => Promise<readonly PublicJwk[]>

export const recordKeySchema = v.strictObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  y: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
})
const partySchema = v.object({ party: v.literal('R1'), recordKeys: v.array(recordKeySchema) })

const TIMEOUT_MS = 3_000
const RETRY_AFTER_MS = 1_000

export async function noRecordKeys(): Promise<readonly PublicJwk[]> {
  return []
}

/** @param url of R1, with `/api/v0`. @throws Error when it is not on this machine */
export function askLocalRelay(url: string, clock: Pick<Clock, 'now'> = Date): RecordKeys {
  if (!isLocalName(new URL(url).hostname))
    throw new Error(`api cannot start: R1 at ${url} is not on this machine. Set API_RECORD_KEYS to its record keys.`)
  let known: readonly PublicJwk[] = []
  let askedAt = Number.NEGATIVE_INFINITY
  return async kid => {
    const isKnown = known.some(jwk => getThumbprint(jwk) === kid)
    if (isKnown || Math.abs(clock.now() - askedAt) < RETRY_AFTER_MS) return known
    const keys = await fetchKeys(url)
    if (!keys) return known
    askedAt = clock.now()
    known = keys
    return known
  }
}

async function fetchKeys(url: string): Promise<readonly PublicJwk[] | undefined> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/party`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const parsed = v.safeParse(partySchema, await response.json())
    return response.ok && parsed.success ? parsed.output.recordKeys : undefined
  } catch {
    return undefined
  }
}
