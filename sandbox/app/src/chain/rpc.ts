/**
 * The explorer reads more of the chain than a wallet app needs, so it asks the node itself, in plain JSON-RPC.
 * Everything else in the app goes through `keybay.solana`.
 */
import { at, number, text } from './json.js'

/** The node said no, or nothing. The message is for people. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
}
/** ms */
const TIME_OUT = 10_000

/** @throws ChainError; or the signal's reason when that aborts */
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
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_OUT)]),
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
