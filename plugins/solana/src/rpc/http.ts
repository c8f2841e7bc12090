/** JSON-RPC over fetch: 10 s per try, 3 retries from 150 ms on retryable errors, all on the kernel's clock (S9.10). */
import type { Clock } from '@keybay/kernel'
import {
  CHAIN_TRANSPORT_BACKOFF_MS,
  CHAIN_TRANSPORT_RETRIES,
  CHAIN_TRANSPORT_TIMEOUT_MS,
  KeybayError,
} from '@keybay/kernel/spec'
import { rpcMalformed, rpcRefused, rpcUnreachable } from '../errors.js'
import { sleep, throwIfAborted } from '../timing.js'
import { at, parseExact } from './read.js'

export interface RpcOptions {
  readonly signal?: AbortSignal | undefined
  /** Disables retries, for calls that are not idempotent. */
  readonly once?: boolean
  /** Number of nodes to skip at the start. */
  readonly skip?: number
  /** Allows twelve tries instead of four, but starts none after 60 s. */
  readonly patient?: boolean
}
export interface Rpc {
  /** Calls a healthy node; each retry uses the next one. */
  (method: string, params: readonly unknown[], options?: RpcOptions): Promise<unknown>
  /** Calls every node once, for data on which a single node may be wrong. */
  readonly all: (
    method: string,
    params: readonly unknown[],
    options?: RpcOptions,
  ) => Promise<readonly PromiseSettledResult<unknown>[]>
}
/** One try of one call, without its parameters and without the node's URL, which may hold an API key. */
export interface RpcCall {
  readonly method: string
  /** Index of the node among the network's nodes. */
  readonly node: number
  readonly ms: number
  /** Set if the try failed. Not `code`, which logs redact because it may be a one-time code. */
  readonly errorCode?: string | undefined
}
/** Time in ms during which a failed node is tried last. */
const REST_MS = 30_000
/** Maximum pause between two tries, in ms. */
const MAX_PAUSE_MS = CHAIN_TRANSPORT_BACKOFF_MS * 2 ** CHAIN_TRANSPORT_RETRIES
/** Limited by tries, because few fit into a time limit on slow networks; and by ms, because a timeout takes 10 s per try. */
const [PATIENT_TRIES, TIMEOUT_MS] = [12, 60_000]

/** Temporary errors: node behind, no slot yet, no snapshot yet, too many requests. */
const PASSING = [-32005, -32014, -32016, -32004, 429]
export function isPassing({ status, details }: KeybayError): boolean {
  return status === 429 || (status ?? 0) >= 500 || PASSING.includes(Number(at(details, 'code')))
}

type Outcome = { readonly value: unknown } | { readonly error: KeybayError; readonly again: boolean }

function readAnswer(status: number, text: string, id: number): Outcome {
  const busy = status === 429 || status >= 500
  let answer: unknown
  try {
    answer = parseExact(text)
  } catch (cause) {
    const spec = busy || status >= 400 ? rpcUnreachable : rpcMalformed
    // Retries truncated responses; complete but invalid ones would stay invalid.
    return { error: new KeybayError(spec, { cause, status }), again: busy || status < 400 }
  }
  const problem = at(answer, 'error')
  if (problem !== undefined && problem !== null) {
    const [code, message] = [Number(at(problem, 'code')), at(problem, 'message')]
    const error = new KeybayError(rpcRefused, {
      status,
      details: { code, data: at(problem, 'data') },
      ...(typeof message === 'string' && { detail: message.slice(0, 300) }),
    })
    return { error, again: isPassing(error) }
  }
  if (status >= 400) return { error: new KeybayError(rpcUnreachable, { status }), again: busy }
  const value = at(answer, 'result')
  if (value === undefined || at(answer, 'id') !== id)
    return { error: new KeybayError(rpcMalformed, { status }), again: false }
  return { value }
}
/**
 * Creates a client that uses the next URL on each retry. Errors never contain a URL, because it may hold an API key. The calls
 * throw KeybayError `rpc_unreachable` (no response; the request's outcome is unknown), `rpc_refused` (with the node's `code` and
 * `data` in `details`), `rpc_malformed`, or `aborted`.
 */
export function createRpc(urls: readonly string[], clock: Clock, onCall: (call: RpcCall) => void = () => {}): Rpc {
  let lastId = 0
  /** Maps each URL to the end of its pause, in ms. */
  const resting = new Map<string, number>()
  const inOrder = (): readonly string[] => {
    const rests = (url: string) => (resting.get(url) ?? 0) > clock.now()
    return [...urls.filter(url => !rests(url)), ...urls.filter(rests)]
  }
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
      return { error: new KeybayError(rpcUnreachable, { cause }), again: true }
    } finally {
      cancel()
      signal?.removeEventListener('abort', stop)
    }
  }
  const getBody = (method: string, params: readonly unknown[]) => {
    lastId += 1
    return [method, lastId, JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })] as const
  }
  type Body = ReturnType<typeof getBody>
  const ask = async (url: string, [method, id, body]: Body, signal: AbortSignal | undefined) => {
    const startedAt = clock.now()
    const outcome = await once(url, id, body, signal)
    const errorCode = 'error' in outcome ? outcome.error.code : undefined
    onCall({ method, node: urls.indexOf(url), ms: clock.now() - startedAt, errorCode })
    if ('error' in outcome && outcome.again) resting.set(url, clock.now() + REST_MS)
    else resting.delete(url)
    return outcome
  }
  const call = async (method: string, params: readonly unknown[], options: RpcOptions = {}): Promise<unknown> => {
    const { signal } = options
    const body = getBody(method, params)
    const order = inOrder()
    const { once: isSole, skip = 0, patient = false } = options
    const until = clock.now() + TIMEOUT_MS
    const mayGoOn = (tries: number) =>
      !isSole && (tries <= CHAIN_TRANSPORT_RETRIES || (patient && tries < PATIENT_TRIES && clock.now() < until))
    for (let turn = 0; ; turn++) {
      throwIfAborted(signal)
      const outcome = await ask(order[(turn + skip) % order.length] ?? '', body, signal)
      if ('value' in outcome) return outcome.value
      if (!outcome.again || !mayGoOn(turn + 1)) throw outcome.error
      await sleep(clock, Math.min(CHAIN_TRANSPORT_BACKOFF_MS * 2 ** turn, MAX_PAUSE_MS), signal)
    }
  }
  const all: Rpc['all'] = (method, params, { signal } = {}) => {
    const body = getBody(method, params)
    const callUrl = async (url: string) => {
      throwIfAborted(signal)
      const outcome = await ask(url, body, signal)
      if ('error' in outcome) throw outcome.error
      return outcome.value
    }
    return Promise.allSettled(urls.map(callUrl))
  }
  return Object.assign(call, { all })
}
