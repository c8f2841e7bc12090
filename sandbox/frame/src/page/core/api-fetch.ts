/**
 * Sends requests to the product API, each signed once by this frame's own key (DPoP, RFC 9449), so that a script of the
 * page, which can write any origin outside a browser, cannot make them.
 */
import { type Clock, sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'
import { publicJwk, signJws, withDeadline } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import type { ShareStore } from '../store/share-store.js'

export type ApiFetch = (user: string, url: string, init: RequestInit) => Promise<Response>

/** The API's refusal of a proof because of this browser's clock. */
const lateSchema = v.object({ details: v.object({ reason: v.literal('time'), now: v.number() }) })

async function getClock(response: Response): Promise<number | undefined> {
  if (response.status !== 401) return undefined
  const { success, output } = v.safeParse(
    lateSchema,
    await response
      .clone()
      .json()
      .catch(() => undefined),
  )
  return success ? output.details.now : undefined
}

async function hash(text: string): Promise<string> {
  return toBase64Url(await sha256(utf8(text)))
}

export function createApiFetch({
  store,
  clock,
  fetch,
  timeoutMs,
}: {
  readonly store: Pick<ShareStore, 'apiKey'>
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
  /** Longest wait for a response. Default: 30 s. */
  readonly timeoutMs?: number
}): ApiFetch {
  /** The API's clock minus ours, in ms. */
  let skew = 0
  return async (user, url, init) => {
    const pair = await store.apiKey(user)
    const { body, method = 'GET' } = init
    const token = new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '')
    const attempt = async () => {
      const claims = {
        jti: crypto.randomUUID(),
        htm: method,
        htu: url,
        iat: Math.floor((clock.now() + skew) / 1000),
        ...(token !== undefined && { ath: await hash(token) }),
        ...(typeof body === 'string' && { bh: await hash(body) }),
      }
      const headers = new Headers(init.headers)
      headers.set('dpop', await signJws(pair.privateKey, 'dpop+jwt', claims, { jwk: await publicJwk(pair) }))
      return fetch(url, { ...init, headers, signal: withDeadline(init.signal, timeoutMs) })
    }
    const first = await attempt()
    const now = await getClock(first)
    if (now === undefined) return first
    skew = now - clock.now()
    return attempt()
  }
}
