/** Step 5: websocket and polling race until the chain has responded, the blockhash has expired, or 60 s have passed (S9.2). */
import type { Clock } from '@keybay/kernel'
import {
  KeybayError,
  TRANSACTION_CONFIRMATION_TIMEOUT_MS,
  transactionFailed,
  transactionTimedOut,
} from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { readNonce } from '../programs/token.js'
import { getAccounts } from '../rpc/calls.js'
import { at } from '../rpc/read.js'
import {
  findOldSignatureStatus,
  findSignatureStatus,
  getBlockHeights,
  getLogs,
  getSignatureStatus,
  rebroadcast,
  type SignatureStatus,
} from '../rpc/sent.js'
import type { Confirmation, ConfirmOptions, SignedTransaction } from '../steps.js'
import { createAbortError, throwIfAborted } from '../timing.js'
import { createExpiredError, decodeFailure } from './reason.js'

/** Polling intervals in ms: one slot before the first poll, then between polls, and with a live websocket. */
const FIRST_LOOK_MS = 400
const LOOK_MS = 1000
const LOOK_LIVE_MS = 2000

const RANK: readonly unknown[] = ['processed', 'confirmed', 'finalized']

/** Transaction to confirm; an airdrop has neither bytes nor a known expiry. */
export type Awaited = Pick<SignedTransaction, 'signature'> &
  Partial<Pick<SignedTransaction, 'transaction' | 'lastValidBlockHeight' | 'nonce'>>

export interface Job {
  readonly client: Client
  readonly awaited: Awaited
  readonly clock: Clock
  readonly options: ConfirmOptions
  /** Programs of its instructions, for the failure reason. */
  readonly programs: readonly (string | undefined)[]
}

/** Call `listen`, send the transaction, and call `start`: a live websocket then reports the result and slot without a call. */
export class Confirming {
  readonly #job: Job
  #resolve: (confirmation: Confirmation) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  readonly result: Promise<Confirmation>
  readonly #end = new AbortController()
  readonly #stops: (() => void)[] = [() => this.#end.abort()]
  #cancelLook = () => {}
  #live = false
  #isSubscribed = false
  #looks = 0
  #waited = false
  /**
   * True if the node subscribed before the transaction was sent. A node reports confirmed slots one by one, each with the
   * transactions in it, so that the result then comes with the transaction's slot (Agave, optimistically_confirmed_bank_tracker.rs).
   */
  #namesSlot = false
  /** Result from the websocket. Its slot is the transaction's only with `#namesSlot`; else the status has that. */
  #reported: Pick<SignatureStatus, 'failure' | 'slot'> | undefined
  #state: 'dropped' | 'seen' | 'unknown' = 'unknown'

  constructor(job: Job) {
    this.#job = job
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.result.catch(() => {}) // The send may fail before its caller waits for the result.
  }

  get #commitment() {
    return this.#job.options.commitment ?? 'confirmed'
  }

  /** Subscribes to a transaction that is not sent yet. Resolves when the node has subscribed, or is not going to soon. */
  async listen(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#stops.push(this.#job.clock.after(FIRST_LOOK_MS, resolve))
      this.#subscribe(() => resolve())
    })
    this.#namesSlot = this.#live && this.#commitment === 'confirmed'
  }

  start(): void {
    if (this.#end.signal.aborted) return // The websocket was faster than the response to the send.
    const { signature } = this.#job.awaited
    const { signal } = this.#job.options
    const abort = () => {
      const error = createAbortError()
      this.#fail(new KeybayError(error, { cause: error, details: { signature } }))
    }
    signal?.addEventListener('abort', abort)
    this.#stops.push(() => signal?.removeEventListener('abort', abort))
    if (signal?.aborted) abort()
    else this.#watch()
  }

  #watch(): void {
    const { awaited, clock } = this.#job
    const { signature } = awaited
    const timeOut = () =>
      this.#fail(new KeybayError(transactionTimedOut, { details: { signature, state: this.#state } }))
    this.#stops.push(clock.after(TRANSACTION_CONFIRMATION_TIMEOUT_MS, timeOut))
    if (!this.#isSubscribed) this.#subscribe()
    this.#lookIn(this.#reported ? 0 : FIRST_LOOK_MS)
  }

  #subscribe(onSettled?: () => void): void {
    const { client, awaited } = this.#job
    this.#isSubscribed = true
    const unsubscribe = client.socket.subscribe({
      method: 'signatureSubscribe',
      params: [awaited.signature, { commitment: this.#commitment }],
      onValue: result => this.#take(result),
      onLive: live => {
        this.#live = live
        // A later subscription may begin after the transaction's slot.
        if (!live) this.#namesSlot = false
        onSettled?.()
      },
    })
    this.#stops.push(unsubscribe)
  }

  #take(result: unknown): void {
    const [failure, slot] = [at(result, 'value', 'err'), at(result, 'context', 'slot')]
    // Leaves unclear messages to polling, so that it never reports a false success.
    if (this.#reported || failure === undefined || typeof slot !== 'number') return
    this.#reported = { failure, slot }
    if (this.#namesSlot) this.#decide(this.#reported)
    else this.#lookIn(0)
  }

  #lookIn(ms: number): void {
    this.#cancelLook()
    if (this.#end.signal.aborted) return
    this.#cancelLook = this.#job.clock.after(ms, () => {
      // A websocket that is live by now reports the result: this saves three calls on a chain that takes a second.
      if (this.#live && !this.#reported && !this.#looks && !this.#waited) {
        this.#waited = true
        return this.#lookIn(LOOK_LIVE_MS)
      }
      this.#look()
        .catch(() => {
          this.#state = 'unknown'
        })
        .finally(() => this.#lookIn(this.#live ? LOOK_LIVE_MS : LOOK_MS))
    })
  }

  async #look(): Promise<void> {
    const { rpc } = this.#job.client
    const { signature, transaction } = this.#job.awaited
    const options = { signal: this.#end.signal }
    this.#looks += 1
    // Nodes differ: if the first has not seen the transaction, all are polled.
    const getStatus = this.#looks === 1 ? getSignatureStatus : findSignatureStatus
    let trouble: unknown
    const status = await getStatus(rpc, signature, options).catch((error: unknown) => {
      throwIfAborted(options.signal)
      trouble = error
      return undefined
    })
    if (status) return this.#weigh(status)
    if (this.#reported) return this.#decide(this.#reported)
    this.#state = trouble ? 'unknown' : 'dropped'
    // A node that does not respond may know more, so nothing is final yet.
    if (!trouble && (await this.#isOver().catch(() => false))) {
      // The transaction may have landed between the two requests.
      const last = await findOldSignatureStatus(rpc, signature, options)
      return last ? this.#weigh(last) : this.#fail(createExpiredError(signature))
    }
    // The node that accepted the transaction may have lost it; an error changes nothing.
    if (transaction) await rebroadcast(rpc, transaction, this.#commitment, options)
  }

  /** Returns true if every responding node agrees that no block can include it any more. */
  async #isOver(): Promise<boolean> {
    const { rpc } = this.#job.client
    const { nonce, lastValidBlockHeight } = this.#job.awaited
    const options = { signal: this.#end.signal }
    if (nonce) {
      const [account] = await getAccounts(rpc, [nonce.account], options)
      return readNonce(account)?.value !== nonce.value
    }
    if (lastValidBlockHeight === undefined) return false
    const heights = await getBlockHeights(rpc, options)
    return heights.length > 0 && heights.every(height => height > lastValidBlockHeight)
  }

  /** Requires the requested commitment: below it, a fork may still undo both success and failure. */
  #weigh(status: SignatureStatus): void {
    this.#state = 'seen'
    if (this.#reported || RANK.indexOf(status.commitment) >= RANK.indexOf(this.#commitment)) this.#decide(status)
  }

  #decide({ failure, slot }: Pick<SignatureStatus, 'failure' | 'slot'>): void {
    const { signature } = this.#job.awaited
    this.cancel()
    if (failure === null) this.#resolve({ signature, slot })
    else void this.#reportFailure(failure, slot)
  }

  /** The failure is certain; the logs are requested once, and omitted without a response. */
  async #reportFailure(failure: unknown, slot: number): Promise<void> {
    const { client, awaited, options, programs } = this.#job
    const { signature } = awaited
    const logs = await getLogs(client.rpc, signature, { signal: options.signal, once: true }).catch(() => [])
    const details = { signature, slot, ...decodeFailure(failure, programs, logs), logs }
    this.#reject(new KeybayError(transactionFailed, { details }))
  }

  #fail(error: unknown): void {
    this.cancel()
    this.#reject(error)
  }

  /** Ends the confirmation without a result, after a send that failed. */
  cancel(): void {
    this.#cancelLook()
    for (const stop of this.#stops.splice(0)) stop()
  }
}
/**
 * Confirms a transaction that was sent.
 * @throws KeybayError `transaction_failed`, `transaction_timed_out` (`details.state`: `expired`, it can no longer land;
 * `dropped`: no node knows it, `seen`: not yet certain enough, `unknown`: no node responds; these three may still land), `aborted`
 */
export function confirmTransaction(job: Job): Promise<Confirmation> {
  const confirming = new Confirming(job)
  confirming.start()
  return confirming.result
}
