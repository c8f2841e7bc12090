/** Subset of Solana's JSON-RPC that a wallet needs to send signed transactions. */
import type { SolanaSignAndSendTransactionOptions } from '@solana/wallet-standard-features'
import bs58 from 'bs58'

const CONFIRM_TIMEOUT_MS = 60_000
const POLL_MS = 400
const LEVELS = ['processed', 'confirmed', 'finalized']

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: { result?: unknown; error?: { message: string; code: number; data?: unknown } } = await response.json()
  if (answer.error)
    throw Object.assign(new Error(answer.error.message), { code: answer.error.code, data: answer.error.data })
  return answer.result
}

interface Status {
  readonly err: unknown
  readonly confirmationStatus: string
}

async function confirm(url: string, signature: string, commitment: string): Promise<void> {
  const end = Date.now() + CONFIRM_TIMEOUT_MS
  while (Date.now() < end) {
    const answer = await call(url, 'getSignatureStatuses', [[signature]])
    const status = (answer as { value: readonly (Status | null)[] }).value[0]
    if (status?.err) throw new Error(`Transaction failed: ${JSON.stringify(status.err)}`)
    if (status && LEVELS.indexOf(status.confirmationStatus) >= LEVELS.indexOf(commitment)) return
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
  throw new Error('Transaction timed out')
}

/** Returns the wallet whose token account it is; undefined if the account does not exist or is none. */
export async function getTokenOwner(url: string, account: string): Promise<string | undefined> {
  const answer = await call(url, 'getAccountInfo', [account, { encoding: 'jsonParsed', commitment: 'confirmed' }])
  const { value } = answer as { value: { data?: { parsed?: { type?: unknown; info?: { owner?: unknown } } } } | null }
  const { type, info } = value?.data?.parsed ?? {}
  return type === 'account' && typeof info?.owner === 'string' ? info.owner : undefined
}

/** Sends, and waits for the commitment if one is given. @returns the transaction's signature, 64 bytes */
export async function sendTransaction(
  url: string,
  transaction: Uint8Array,
  { commitment, preflightCommitment, skipPreflight, maxRetries }: SolanaSignAndSendTransactionOptions = {},
): Promise<Uint8Array> {
  const encoded = btoa(String.fromCharCode(...transaction))
  const options = { encoding: 'base64', preflightCommitment, skipPreflight, maxRetries }
  const signature = await call(url, 'sendTransaction', [encoded, options])
  if (typeof signature !== 'string') throw new Error('The node gave no signature')
  if (commitment) await confirm(url, signature, commitment)
  return bs58.decode(signature)
}
