/** JSON-RPC over fetch: 10 s a try, 3 retries from 150 ms on what may be retried, all on the kernel's clock (S9.10). */
import type { Clock, KeybayError } from '@keybay/kernel'
import { CHAIN_TRANSPORT_BACKOFF_MS, CHAIN_TRANSPORT_RETRIES, CHAIN_TRANSPORT_TIMEOUT_MS } from '@keybay/kernel/spec'
import { rpcMalformed, rpcRefused, rpcUnreachable } from '../errors.js'
import { fault } from '../fault.js'
import { sleep, throwIfAborted } from '../timing.js'
import { at, parseExact } from './read.js'

export interface RpcOptions {
  readonly signal?: AbortSignal | undefined
  /** For what must not happen twice and is not idempotent. */
  readonly once?: boolean
}
export type Rpc = (method: string, params: readonly unknown[], options?: RpcOptions) => Promise<unknown>

/** Refusals that pass by themselves: node behind, no slot yet, no snapshot yet, too many requests. */
const PASSING = [-32005, -32014, -32016, -32004, 429]

type Outcome = { readonly value: unknown } | { readonly error: KeybayError; readonly again: boolean }

const readAnswer = (status: number, text: string, id: number): Outcome => {
  const busy = status === 429 || status >= 500
  let answer: unknown
  try {
    answer = parseExact(text)
  } catch (cause) {
    const spec = busy || status >= 400 ? rpcUnreachable : rpcMalformed
    return { error: fault(spec, { cause, status }), again: busy }
  }
  const problem = at(answer, 'error')
  if (problem !== undefined && problem !== null) {
    const [code, message] = [Number(at(problem, 'code')), at(problem, 'message')]
    const error = fault(rpcRefused, {
      status,
      details: { code, data: at(problem, 'data') },
      ...(typeof message === 'string' && { detail: message.slice(0, 300) }),
    })
    return { error, again: busy || PASSING.includes(code) }
  }
  if (status >= 400) return { error: fault(rpcUnreachable, { status }), again: busy }
  const value = at(answer, 'result')
  if (value === undefined || at(answer, 'id') !== id) return { error: fault(rpcMalformed, { status }), again: false }
  return { value }
}

/**
 * Each retry asks the next URL. No URL is ever named in an error: it may hold a key.
 *
 * The calls throw KeybayError `rpc_unreachable` (nobody answered; the fate of the request is unknown), `rpc_refused` (with
 * the node's `code` and `data` in `details`), `rpc_malformed`, or `aborted`.
 */
export const createRpc = (urls: readonly string[], clock: Clock): Rpc => {
  let lastId = 0
  const once = async (url: string, id: number, body: string, signal: AbortSignal | undefined): Promise<Outcome> => {
    const control = new AbortController()
    const stop = () => control.abort()
    const cancel = clock.after(CHAIN_TRANSPORT_TIMEOUT_MS, stop)
    signal?.addEventListener('abort', stop)
    try {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body, signal: control.signal })
      return readAnswer(response.status, await response.text(), id)
    } catch (cause) {
      throwIfAborted(signal)
      return { error: fault(rpcUnreachable, { cause }), again: true }
    } finally {
      cancel()
      signal?.removeEventListener('abort', stop)
    }
  }
  return async (method, params, options = {}) => {
    const { signal } = options
    lastId += 1
    const id = lastId
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const tries = options.once ? 1 : CHAIN_TRANSPORT_RETRIES + 1
    for (let turn = 0; ; turn++) {
      throwIfAborted(signal)
      const outcome = await once(urls[turn % urls.length] ?? '', id, body, signal)
      if ('value' in outcome) return outcome.value
      if (!outcome.again || turn + 1 >= tries) throw outcome.error
      await sleep(clock, CHAIN_TRANSPORT_BACKOFF_MS * 2 ** turn, signal)
    }
  }
}
