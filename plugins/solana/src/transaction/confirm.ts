/** Step 5: websocket and polling race until the chain has answered, the blockhash has expired, or 60 s are over (S9.2). */

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

/** ms: one slot until the first look, then between looks; and with a websocket that speaks by itself. */
const FIRST_LOOK_MS = 400
const LOOK_MS = 1000
const LOOK_LIVE_MS = 2000

const RANK: readonly unknown[] = ['processed', 'confirmed', 'finalized']

/** What is confirmed; an airdrop has neither bytes nor a known end. */
export type Awaited = Pick<SignedTransaction, 'signature'> &
  Partial<Pick<SignedTransaction, 'transaction' | 'lastValidBlockHeight' | 'nonce'>>

/**
 * @param programs of its instructions, for the reason of a failure
 * @throws KeybayError `transaction_failed`, `transaction_timed_out` (`details.state`: `expired`, it can no longer land;
 *   `dropped`: no node knows of it, `seen`: not sure enough yet, `unknown`: nobody answers; then it still may), `aborted`
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
    /** What the socket said. Its slot is the node's at that commitment, not always the transaction's: the status has that. */
    let heard: Pick<SignatureStatus, 'failure' | 'slot'> | undefined
    let state: 'dropped' | 'seen' | 'unknown' = 'unknown'
    const finish = (how: () => void) => {
      cancelLook()
      for (const stop of ends.splice(0)) stop()
      how()
    }
    const fail = (error: unknown) => finish(() => reject(error))
    /** That it failed is certain; the logs that say more are asked for once, and do without an answer. */
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
    /** Only at the commitment asked for: below it a fork may still undo it, success and failure alike. */
    const weigh = (status: SignatureStatus) => {
      state = 'seen'
      if (heard || RANK.indexOf(status.commitment) >= RANK.indexOf(commitment)) decide(status.failure, status.slot)
    }
    let looks = 0
    let waited = false
    const chase = async () => {
      const options = { signal: end.signal }
      looks += 1
      // Nodes differ: where the first has not seen it, all of them are asked.
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
      // A node that does not answer may know more: then nothing is over yet.
      if (!trouble && (await isOver(options).catch(() => false))) {
        // It may have landed between the two questions.
        const last = await findOldSignatureStatus(rpc, signature, options)
        return last ? weigh(last) : fail(expired(signature))
      }
      // The node that took it may have lost it; a refusal changes nothing.
      if (transaction) await rebroadcast(rpc, transaction, commitment, options)
    }
    /** Whether no block can hold it any more, by the word of every node that answers. */
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
        // A websocket that has come to life meanwhile will say it: three calls less on a chain that takes a second.
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
          // Anything but a clear answer is left to polling: never a success that nobody spoke of.
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
