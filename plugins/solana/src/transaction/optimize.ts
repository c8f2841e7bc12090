/** Between build and fee, on mainnet: the product API may add a compute budget and priority fee, and may pay (S7.1, S8.9). */
import type { AccountApi } from '@keybay/account'
import type { ErrorSpec, Kernel } from '@keybay/kernel'
import {
  fromBase64,
  gasNotSponsored,
  insufficientFunds,
  KeybayError,
  SOLANA_MAINNET_ID,
  toBase64,
  toKeybayError,
} from '@keybay/kernel/spec'
import { optimizeFailed } from '../errors.js'
import { at } from '../rpc/read.js'
import type { BuiltTransaction, OptimizeOptions } from '../steps.js'
import { abortable, sleep, throwIfAborted } from '../timing.js'
import { carryCost } from './fee.js'
import { exactPriority, getPayer, objectionTo } from './optimized.js'
import { readTransaction } from './wire.js'

/** Timeout in ms, after which the transaction is used unchanged: its blockhash ages while it waits. */
const TIMEOUT_MS = 5000

interface Host extends Pick<Kernel, 'config' | 'session' | 'logger' | 'clock'> {
  readonly version: string
  readonly plugins: { readonly account?: Pick<AccountApi, 'request'> }
}
/** Maps a failure to the sponsor's error: of all messages, only that of a missing prefund is another one (S8.9). */
function sponsorSpec({ code, message, details }: KeybayError): ErrorSpec {
  return /prefund/i.test([code, message, at(details, 'code'), at(details, 'message')].join(' '))
    ? insufficientFunds
    : gasNotSponsored
}
/** Asks with the app's own session, where there is no `account()` to prove requests. */
async function askDirectly({ config, session, version }: Host, path: string, body: object, signal: AbortSignal) {
  const bearer = await session.bearer()
  const base = config.baseApiUrl?.replace(/\/$/, '')
  const response = await fetch(`${base}/sdk/${config.environmentId}${path}`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-keybay-version': version,
      'x-keybay-api-version': 'v0',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    credentials: config.cookieStorage ? 'include' : 'same-origin',
    body: JSON.stringify(body),
    signal,
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer
  const [code, message] = [String(at(answer, 'code')), String(at(answer, 'message')).slice(0, 500)]
  throw new KeybayError(optimizeFailed, { status: response.status, details: { code, message } })
}
/** Asks with a proof by the session key, without which the API pays for nothing. @throws KeybayError */
async function ask(host: Host, built: BuiltTransaction, sponsor: boolean, signal: AbortSignal) {
  const { account } = host.plugins
  const path = '/solana/optimize'
  const body = {
    address: built.from,
    transaction: toBase64(built.transaction),
    networkId: built.networkId,
    ...(sponsor && { sponsor }),
  }
  return account ? account.request(path, { body, signal }) : askDirectly(host, path, body, signal)
}
/** Returns the improved transaction. @throws KeybayError if there is none, or none that is safe to sign */
async function better(host: Host, built: BuiltTransaction, sponsor: boolean, signal: AbortSignal | undefined) {
  const over = new AbortController()
  const patience = sleep(host.clock, TIMEOUT_MS, over.signal).then(() => {
    over.abort()
    throw new KeybayError(optimizeFailed, { detail: 'the product API did not respond in time' })
  })
  const stop = () => over.abort()
  signal?.addEventListener('abort', stop)
  try {
    const response = ask(host, built, sponsor, over.signal)
    const answer = await abortable(Promise.race([response, patience]), signal)
    const text = at(answer, 'transaction')
    if (typeof text !== 'string')
      throw new KeybayError(optimizeFailed, { detail: 'the response contains no transaction' })
    const transaction = fromBase64(text)
    const objection = objectionTo(built.transaction, transaction)
    if (objection)
      throw new KeybayError(optimizeFailed, { detail: `the optimized transaction is refused: ${objection}` })
    return transaction
  } finally {
    stop()
    patience.catch(() => {})
    signal?.removeEventListener('abort', stop)
  }
}
/** @param networks where it is asked; mainnet alone unless the host says otherwise. @throws KeybayError only with `sponsor` */
export async function optimizeTransaction(
  host: Host,
  networks: readonly number[] | undefined,
  built: BuiltTransaction,
  { sponsor = false, signal }: OptimizeOptions,
): Promise<BuiltTransaction> {
  const { signatures, signers } = readTransaction(built.transaction)
  const unsigned = signatures.every(signature => signature === undefined)
  if (!host.config.baseApiUrl || !(networks ?? [SOLANA_MAINNET_ID]).includes(built.networkId) || !unsigned) {
    if (sponsor)
      throw new KeybayError(gasNotSponsored, {
        details: { reason: 'the app has no product API that pays fees on this network' },
      })
    return built
  }
  try {
    const transaction = await better(host, built, sponsor, signal)
    const sponsored = getPayer(transaction) !== signers[0]
    if (sponsor && !sponsored)
      throw new KeybayError(gasNotSponsored, { details: { reason: 'the sender would still pay the fee' } })
    // Its fee and payer may have changed: the simulation's proof holds only if the fee is known or another account pays it.
    const isKnown = carryCost(built.transaction, transaction, exactPriority(transaction))
    const holds = (sponsored || isKnown) && !built.trial?.failure
    return { ...built, transaction, trial: holds ? built.trial : undefined }
  } catch (thrown) {
    throwIfAborted(signal)
    const error = toKeybayError(thrown)
    if (!sponsor) {
      host.logger.error('the transaction could not be optimized; it goes as it is', error)
      return built
    }
    throw new KeybayError(sponsorSpec(error), { details: error.details, cause: error })
  }
}
