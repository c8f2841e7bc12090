/** Requests to a provider of backups: nothing of a cookie goes along, and each answer has a meaning for the user. */
import { aborted, KeybayError } from '@keybay/kernel/spec'
import type { Answer } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { backupMissing, providerFailed, providerRefused, providerUnreachable } from '../errors/errors.js'

export type Fetch = typeof globalThis.fetch
/** Real envelopes have less than 16 KiB; lists of them are short too. */
const MOST_BYTES = 1_000_000

function errorOf(status: number): KeybayError {
  if (status === 401 || status === 403 || status === 421) return new KeybayError(providerRefused, { status })
  if (status === 404 || status === 410) return new KeybayError(backupMissing, { status })
  if (status === 408 || status === 429 || status >= 500) return new KeybayError(providerUnreachable, { status })
  return new KeybayError(providerFailed, { status })
}

/**
 * @throws KeybayError `frame_backup_refused` (a wrong or expired token), `frame_backup_missing`, `frame_backup_unreachable`,
 *   `frame_backup_failed`, `aborted`
 */
export async function ask(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' })
  } catch {
    throw new KeybayError(init.signal?.aborted ? aborted : providerUnreachable)
  }
  if (!response.ok) throw errorOf(response.status)
  return response
}

/** @throws KeybayError `frame_backup_unreachable` where the answer breaks off, `frame_backup_failed` where it is too long */
export async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await response.arrayBuffer().catch(() => {
    throw new KeybayError(providerUnreachable)
  })
  if (bytes.byteLength > MOST_BYTES) throw new KeybayError(providerFailed)
  return new Uint8Array(bytes)
}

/** @throws KeybayError also `frame_backup_failed`: the answer is not of the documented shape */
export async function jsonOf<T>(response: Response, schema: Answer<T>): Promise<T> {
  const text = new TextDecoder().decode(await bytesOf(response))
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (success) return output
  throw new KeybayError(providerFailed)
}

type Query = Readonly<Record<string, string | undefined>>
/** @example join('https://www.googleapis.com', 'drive/v3/files', { spaces: 'appDataFolder' }) */
export function join(base: string, path: string, query?: Query): string {
  return withQuery(`${base.replace(/\/$/, '')}/${path}`, query)
}

/** Leaves out undefined values. */
export function withQuery(address: string, query: Query = {}): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
