/**
 * The explorer reads more of the chain than a wallet app needs, so it calls the node directly over JSON-RPC.
 * Everything else in the app goes through `keybay.solana`.
 */
import { at, number, text } from './json.js'

/** Thrown when the node returned an error or did not respond. The message is shown to the user. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
}
/** Time to wait for a response, in ms. */
const TIMEOUT_MS = 10_000

/** @throws ChainError; or the signal's reason when it aborts */
export async function callChain(
  url: string,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  let answer: unknown
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    answer = await response.json()
  } catch (error) {
    signal.throwIfAborted()
    throw new ChainError('The chain does not answer.', { cause: error })
  }
  const message = text(at(answer, 'error', 'message'))
  if (message !== undefined) throw new ChainError(`${message} (${number(at(answer, 'error', 'code'))})`)
  return at(answer, 'result')
}
