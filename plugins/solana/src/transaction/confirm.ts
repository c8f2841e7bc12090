/** Step 5: websocket and polling race until the chain has answered, the blockhash has expired, or 60 s are over (S9.2). */
import type { Clock } from '@keybay/kernel'
import { TRANSACTION_CONFIRMATION_TIMEOUT_MS, transactionFailed, transactionTimedOut } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { fault, toFault } from '../fault.js'
import { getBlockHeight, getSignatureStatus, type SignatureStatus, sendRawTransaction } from '../rpc/calls.js'
import { at } from '../rpc/read.js'
import type { Confirmation, ConfirmOptions, SignedTransaction } from '../steps.js'
import { throwIfAborted } from '../timing.js'
import { expired } from './expired.js'
import { reasonOf } from './reason.js'

/** ms: one slot until the first look, then between looks, without and with a websocket. */
const FIRST_LOOK_MS = 400
const LOOK_MS = 1000
const LOOK_LIVE_MS = 3000

const RANK: readonly unknown[] = ['processed', 'confirmed', 'finalized']

/** What is confirmed; an airdrop has neither bytes nor a known end. */
export type Awaited = Pick<SignedTransaction, 'signature'> &
  Partial<Pick<SignedTransaction, 'transaction' | 'lastValidBlockHeight'>>

/**
 * @param programs of its instructions, for the reason of a failure
 * @throws KeybayError `transaction_failed`, `transaction_timed_out` (`details.state`: `expired`, it can no longer land;
 *   `unseen`, `seen` or `unreachable`, it still may), `aborted`
 */
export const confirmTransaction = (
  { rpc, socket }: Client,
  { signature, transaction, lastValidBlockHeight }: Awaited,
  clock: Clock,
  { commitment = 'confirmed', signal }: ConfirmOptions,
  programs: readonly (string | undefined)[],
): Promise<Confirmation> =>
  new Promise((resolve, reject) => {
    const end = new AbortController()
    const ends: (() => void)[] = [() => end.abort()]
    let cancelLook = () => {}
    let live = false
    /** What the socket said. Its slot is the node's at that commitment, not always the transaction's: the status has that. */
    let heard: Pick<SignatureStatus, 'failure' | 'slot'> | undefined
    let state: 'unseen' | 'seen' | 'unreachable' = 'unseen'
    const finish = (how: () => void) => {
      cancelLook()
      for (const stop of ends.splice(0)) stop()
      how()
    }
    const fail = (error: unknown) => finish(() => reject(error))
    const decide = (failure: unknown, slot: number) => {
      if (failure === null) return finish(() => resolve({ signature, slot }))
      const details = { signature, slot, failure, reason: reasonOf(failure, programs) }
      return fail(fault(transactionFailed, { details }))
    }
    /** Only at the commitment asked for: below it a fork may still undo it, success and failure alike. */
    const weigh = (status: SignatureStatus) => {
      state = 'seen'
      if (heard || RANK.indexOf(status.commitment) >= RANK.indexOf(commitment)) decide(status.failure, status.slot)
    }
    const chase = async () => {
      const options = { signal: end.signal }
      const status = await getSignatureStatus(rpc, signature, false, options).catch((error: unknown) => {
        if (!heard) throw error
      })
      if (status) return weigh(status)
      if (heard) return decide(heard.failure, heard.slot)
      state = 'unseen'
      if (lastValidBlockHeight !== undefined) {
        const height = await getBlockHeight(rpc, 'confirmed', options)
        if (height > lastValidBlockHeight) {
          // It may have landed between the two questions.
          const last = await getSignatureStatus(rpc, signature, true, options)
          return last ? weigh(last) : fail(expired(signature))
        }
      }
      // The node that took it may have lost it; a refusal changes nothing.
      if (transaction)
        await sendRawTransaction(rpc, transaction, commitment, { ...options, once: true, skipPreflight: true }).catch(
          () => {},
        )
    }
    const lookIn = (ms: number) => {
      cancelLook()
      if (end.signal.aborted) return
      cancelLook = clock.after(ms, () => {
        chase()
          .catch(() => {
            state = 'unreachable'
          })
          .finally(() => lookIn(live ? LOOK_LIVE_MS : LOOK_MS))
      })
    }
    const abort = () => {
      try {
        throwIfAborted(signal)
      } catch (error) {
        fail(fault(toFault(error), { cause: error, details: { signature } }))
      }
    }
    signal?.addEventListener('abort', abort)
    ends.push(() => signal?.removeEventListener('abort', abort))
    if (signal?.aborted) return abort()
    const timeUp = () => fail(fault(transactionTimedOut, { details: { signature, state } }))
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
