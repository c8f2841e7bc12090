/**
 * Reads what the user calls the account. The product API says so for the token's own session, because the page could name
 * another account. Never logged, and in no error.
 */
import { withDeadline } from '@keybay/waas/relay-client'
import * as v from 'valibot'

/** Longest wait, in ms: a question without a name is better than none. */
const WAIT_MS = 3000
const nameSchema = v.object({ account: v.optional(v.pipe(v.string(), v.maxLength(256))) })

/**
 * @param url of the product API, as `accountUrl` makes it
 * @returns undefined if the API does not say it in time, or refuses the token
 */
export async function readAccountName(
  url: string,
  token: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: withDeadline(undefined, WAIT_MS),
    })
    return response.ok ? v.parse(nameSchema, await response.json()).account : undefined
  } catch {
    return undefined
  }
}
