/** Requests to providers: with a timeout, without redirects, and with a size limit that fits a profile. */
import { unexpected, unreachable } from './fault.js'

const TIMEOUT = 10_000
const MAX_BYTES = 1_048_576

export interface ProviderAnswer {
  readonly status: number
  /** Undefined if the body is not JSON. */
  readonly json: unknown
  readonly text: string
}

/** @throws ApiError `signin_error` without a response, or for a 5xx */
export async function ask(url: string, init: RequestInit = {}): Promise<ProviderAnswer> {
  let response: Response
  let bytes: ArrayBuffer
  try {
    response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
      // GitHub refuses requests without a user agent.
      headers: { accept: 'application/json', 'user-agent': 'keybay', ...Object.fromEntries(new Headers(init.headers)) },
    })
    bytes = await response.arrayBuffer()
  } catch {
    throw unreachable()
  }
  if (response.status >= 500) throw unreachable()
  if (bytes.byteLength > MAX_BYTES) throw unexpected('size')
  const text = new TextDecoder().decode(bytes)
  return { status: response.status, json: parsed(text), text }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
