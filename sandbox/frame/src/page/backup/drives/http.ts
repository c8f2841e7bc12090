/** Sends requests without cookies to a backup provider, and turns its failures into errors for the user. */
import { aborted, KeybayError } from '@keybay/kernel/spec'
import type { Answer } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { frameError } from '../../errors/errors.js'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
/** Maximum response size, in bytes. Real envelopes are smaller than 16 KiB, and lists of them are short. */
const MAX_BYTES = 1_000_000

function getError(status: number): KeybayError {
  if (status === 401 || status === 403 || status === 421) return frameError('frame_backup_refused', { status })
  if (status === 404 || status === 410) return frameError('frame_backup_missing', { status })
  if (status === 408 || status === 429 || status >= 500) return frameError('frame_backup_unreachable', { status })
  return frameError('frame_backup_failed', { status })
}

/**
 * @throws KeybayError `frame_backup_refused` (wrong or expired token), `frame_backup_missing`,
 *   `frame_backup_unreachable`, `frame_backup_failed`, `aborted`
 */
export async function ask(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' })
  } catch (error) {
    if (error instanceof KeybayError) throw error
    throw init.signal?.aborted ? new KeybayError(aborted) : frameError('frame_backup_unreachable')
  }
  if (!response.ok) throw getError(response.status)
  return response
}

/**
 * @throws KeybayError `frame_backup_unreachable` if the response is cut off, `frame_backup_failed` if it is too long
 */
export async function readBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await response.arrayBuffer().catch(() => {
    throw frameError('frame_backup_unreachable')
  })
  if (bytes.byteLength > MAX_BYTES) throw frameError('frame_backup_failed')
  return new Uint8Array(bytes)
}

/** @throws KeybayError as `readBytes`; `frame_backup_failed` if the response does not match the documented schema */
export async function readJson<T>(response: Response, schema: Answer<T>): Promise<T> {
  const text = new TextDecoder().decode(await readBytes(response))
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (success) return output
  throw frameError('frame_backup_failed')
}

type Query = Readonly<Record<string, string | undefined>>
/** @example join('https://www.googleapis.com', 'drive/v3/files', { spaces: 'appDataFolder' }) */
export function join(base: string, path: string, query?: Query): string {
  return withQuery(`${base.replace(/\/$/, '')}/${path}`, query)
}

export function withQuery(address: string, query: Query = {}): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
