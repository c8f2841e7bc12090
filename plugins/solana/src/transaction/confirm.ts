/** Step 5: websocket and polling race until the chain has responded, the blockhash has expired, or 60 s have passed (S9.2). */
import type { Clock } from '@keybay/kernel'
import {
  KeybayError,
  TRANSACTION_CONFIRMATION_TIMEOUT_MS,
  toKeybayError,
  transactionFailed,
  transactionTimedOut,
} from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { readNonce } from '../programs/nonce.js'
import {
  findOldSignatureStatus,
  findSignatureStatus,
  getAccounts,
  getBlockHeights,
  getLogs,
  getSignatureStatus,
  rebroadcast,
  type SignatureStatus,
} from '../rpc/calls.js'
import { at } from '../rpc/read.js'
import type { CallOptions, Confirmation, ConfirmOptions, SignedTransaction } from '../steps.js'
import { throwIfAborted } from '../timing.js'
import { expired } from './expired.js'
import { decodeFailure } from './reason.js'

/** Polling intervals in ms: one slot before the first poll, then between polls, and with a live websocket. */
const FIRST_LOOK_MS = 400
const LOOK_MS = 1000
const LOOK_LIVE_MS = 2000

const RANK: readonly unknown[] = ['processed', 'confirmed', 'finalized']

/** Transaction to confirm; an airdrop has neither bytes nor a known expiry. */
export type Awaited = Pick<SignedTransaction, 'signature'> &
  Partial<Pick<SignedTransaction, 'transaction' | 'lastValidBlockHeight' | 'nonce'>>

/**
 * @param programs programs of its instructions, for the failure reason
 * @throws KeybayError `transaction_failed`, `transaction_timed_out` (`details.state`: `expired`, it can no longer land;
 * `dropped`: no node knows it, `seen`: not yet certain enough, `unknown`: no node responds; these three may still land),
 * `aborted`
 */
export function confirmTransaction(
  { rpc, socket }: Client,
  { signature, transaction, lastValidBlockHeight, nonce }: Awaited,
  clock: Clock,
  { commitment = 'confirmed', signal }: ConfirmOptions,
  programs: readonly (string | undefined)[],
): Promise<Confirmation> {
  return new Promise((resolve, reject) => {
    const end = new AbortController()
    const ends: (() => void)[] = [() => end.abort()]
    let cancelLook = () => {}
    let live = false
    /**
     * Result from the websocket. Its slot is the node's at that commitment, not always the transaction's; the status has that.
     */
    let heard: Pick<SignatureStatus, 'failure' | 'slot'> | undefined
    let state: 'dropped' | 'seen' | 'unknown' = 'unknown'
    const finish = (how: () => void) => {
      cancelLook()
      for (const stop of ends.splice(0)) stop()
      how()
    }
    const fail = (error: unknown) => finish(() => reject(error))
    /** The failure is certain; the logs are requested once, and omitted without a response. */
    const tellFailure = async (failure: unknown, slot: number) => {
      const logs = await getLogs(rpc, signature, { signal, once: true }).catch(() => [])
      reject(
        new KeybayError(transactionFailed, {
          details: { signature, slot, ...decodeFailure(failure, programs, logs), logs },
        }),
      )
    }
    const decide = (failure: unknown, slot: number) =>
      finish(() => (failure === null ? resolve({ signature, slot }) : tellFailure(failure, slot)))
    /** Requires the requested commitment: below it, a fork may still undo both success and failure. */
    const weigh = (status: SignatureStatus) => {
      state = 'seen'
      if (heard || RANK.indexOf(status.commitment) >= RANK.indexOf(commitment)) decide(status.failure, status.slot)
    }
    let looks = 0
    let waited = false
    const chase = async () => {
      const options = { signal: end.signal }
      looks += 1
      // Nodes differ: if the first has not seen the transaction, all are polled.
      const ask = looks === 1 ? getSignatureStatus : findSignatureStatus
      let trouble: unknown
      const status = await ask(rpc, signature, options).catch((error: unknown) => {
        throwIfAborted(end.signal)
        trouble = error
        return undefined
      })
      if (status) return weigh(status)
      if (heard) return decide(heard.failure, heard.slot)
      state = trouble ? 'unknown' : 'dropped'
      // A node that does not respond may know more, so nothing is final yet.
      if (!trouble && (await isOver(options).catch(() => false))) {
        // The transaction may have landed between the two requests.
        const last = await findOldSignatureStatus(rpc, signature, options)
        return last ? weigh(last) : fail(expired(signature))
      }
      // The node that accepted the transaction may have lost it; an error changes nothing.
      if (transaction) await rebroadcast(rpc, transaction, commitment, options)
    }
    /** Returns true if every responding node agrees that no block can include it any more. */
    const isOver = async (options: CallOptions): Promise<boolean> => {
      if (nonce) {
        const [account] = await getAccounts(rpc, [nonce.account], options)
        return readNonce(account)?.value !== nonce.value
      }
      if (lastValidBlockHeight === undefined) return false
      const heights = await getBlockHeights(rpc, 'confirmed', options)
      return heights.length > 0 && heights.every(height => height > lastValidBlockHeight)
    }
    const lookIn = (ms: number) => {
      cancelLook()
      if (end.signal.aborted) return
      cancelLook = clock.after(ms, () => {
        // A websocket that is live by now reports the result: this saves three calls on a chain that takes a second.
        if (live && !heard && !looks && !waited) {
          waited = true
          return lookIn(LOOK_LIVE_MS)
        }
        chase()
          .catch(() => {
            state = 'unknown'
          })
          .finally(() => lookIn(live ? LOOK_LIVE_MS : LOOK_MS))
      })
    }
    const abort = () => {
      try {
        throwIfAborted(signal)
      } catch (error) {
        fail(new KeybayError(toKeybayError(error), { cause: error, details: { signature } }))
      }
    }
    signal?.addEventListener('abort', abort)
    ends.push(() => signal?.removeEventListener('abort', abort))
    if (signal?.aborted) return abort()
    const timeUp = () => fail(new KeybayError(transactionTimedOut, { details: { signature, state } }))
    ends.push(clock.after(TRANSACTION_CONFIRMATION_TIMEOUT_MS, timeUp))
    ends.push(
      socket.subscribe({
        method: 'signatureSubscribe',
        params: [signature, { commitment }],
        onValue(result) {
          const failure = at(result, 'value', 'err')
          // Leaves unclear messages to polling, so that it never reports a false success.
          const slot = at(result, 'context', 'slot')
          if (heard || failure === undefined || typeof slot !== 'number') return
          heard = { failure, slot }
          lookIn(0)
        },
        onLive(now) {
          live = now
        },
      }),
    )
    lookIn(FIRST_LOOK_MS)
  })
}
