/**
 * Scheduled transfers: an example of a delegate. It signs without the user, with its own share and within the policy
 * that the user agreed to, until the user revokes it. Start reading here; `pay.ts` handles a payment.
 */
import { join } from 'node:path'
import type { MovableClock } from '@keybay/sandbox-service'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { loadKeks } from '@keybay/sandbox-service/secrets'
import { createDelegate, type DelegatedWallet } from '@keybay/waas/delegate'
import * as v from 'valibot'
import { connectChain, fetchInTime } from './chain.js'
import { loadIdentity, NAME } from './identity.js'
import { advance, isKnown, isPassing, type PayParts } from './pay.js'
import { begunAt, isOver, type Schedule, toView, withoutSecrets } from './schedule.js'
import { openSchedules } from './store.js'

export interface SchedulerOptions {
  /** Folder for the app's data: keys, the relays' list of delegates, schedules. */
  readonly folder: string
  readonly clock: MovableClock
  /** URL of R1's API with its version. */
  readonly relayUrl: string
  readonly environmentId: string
  /** JSON-RPC URL of the chain that it pays on. */
  readonly chainUrl: string
  /** Default: signs with the share that the user delegated. */
  readonly sign?: PayParts['sign'] | undefined
  /** Default: accepts the share that the user's page sent. */
  readonly accept?: PayParts['accept'] | undefined
  /** Polling interval for due payments, in ms; 0 polls only when `run` is called. Default 500. */
  readonly lookEvery?: number | undefined
}
export interface Order {
  /** Sealed share returned by `delegateKeyShares`. */
  readonly sealedShare: Uint8Array
  readonly to: string
  readonly lamports: bigint
  /** Seconds. */
  readonly every: number
  readonly times: number
}
export interface Scheduler {
  /** Identity of the scheduler; `publicKey` is the base64url key for `delegateKeyShares`. */
  readonly identity: { readonly name: string; readonly publicKey: string }
  /**
   * Accepts the share; the first payment is due at once, or as soon as the relays respond. Sending the same share
   * again is the same order. @throws KeybayError of `Delegate.accept`: then nothing is stored
   */
  schedule(order: Order): Promise<{ readonly setId: string }>
  /** Returns the schedule for the page, without secrets. */
  read(setId: string): object | undefined
  /** Deletes the schedule and its share. */
  remove(setId: string): boolean
  /** Runs all due payments now. */
  run(): Promise<void>
  stop(): Promise<void>
}

/** Delay after a failed attempt, in ms. */
const PAUSE_MS = 3_000

const walletSchema = v.object({
  address: v.string(),
  walletId: v.string(),
  setId: v.string(),
  user: v.string(),
  share: v.string(),
})

/** @throws Error when keys or schedules cannot be read */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { folder, clock, relayUrl, environmentId, chainUrl, lookEvery = 500 } = options
  const { keys, listing } = await loadIdentity(folder)
  const store = openSchedules(join(folder, 'schedules'))
  const envelope = createEnvelope(
    loadKeks({ service: 'app', variable: 'its key', file: join(folder, 'schedules-kek') }),
  )
  const now = () => clock.now()
  const delegate = createDelegate({ keys, environmentId, relayUrl, fetch: fetchInTime })

  const seal = (what: string, plain: Uint8Array): string => {
    const sealed = envelope.seal(plain, what)
    plain.fill(0)
    return sealed
  }
  const openShare = ({ setId, share }: Schedule): DelegatedWallet => {
    const plain = envelope.open(share ?? '', `share ${setId}`)
    const wallet = v.parse(walletSchema, JSON.parse(new TextDecoder().decode(plain)))
    plain.fill(0)
    return wallet
  }
  const { sign = (schedule, bytes) => delegate.signTransaction(openShare(schedule), bytes) } = options
  const acceptAgain: PayParts['accept'] = async ({ setId, bundle }) => {
    await delegate.accept(envelope.open(bundle ?? '', `bundle ${setId}`), async () => {})
  }
  const { accept = acceptAgain } = options

  /** Stores a schedule unless it was removed in the meantime. */
  const keep = (schedule: Schedule): void => {
    if (store.get(schedule.setId)) store.put(isOver(schedule) ? withoutSecrets(schedule) : schedule)
  }
  const parts: PayParts = { chain: connectChain(chainUrl), sign, accept, keep, now }

  /** setId → time of the next attempt, by the machine's clock. */
  const paused = new Map<string, number>()
  const pass = async (): Promise<void> => {
    for (const schedule of store.all()) {
      const { setId } = schedule
      if (isOver(schedule) || (paused.get(setId) ?? 0) > Date.now()) continue
      if (await advance(parts, () => store.get(setId))) paused.delete(setId)
      else paused.set(setId, Date.now() + PAUSE_MS)
    }
  }
  let running: Promise<void> | undefined
  /** One pass at a time, so that no payment starts twice. */
  const run = (): Promise<void> => {
    running ??= pass().finally(() => {
      running = undefined
    })
    return running
  }
  const look = (): void => {
    run().catch(error => console.error(`scheduler: ${error instanceof Error ? error.message : error}`))
  }
  const timer = lookEvery > 0 ? setInterval(look, lookEvery).unref() : undefined

  return {
    identity: { name: NAME, publicKey: listing.sealingKey },
    async schedule({ sealedShare, to, lamports, every, times }) {
      let taken: { readonly setId: string; readonly isNew: boolean } | undefined
      try {
        await delegate.accept(sealedShare, async wallet => {
          const { setId, address: from } = wallet
          taken = { setId, isNew: store.get(setId) === undefined }
          const share = seal(`share ${setId}`, new TextEncoder().encode(JSON.stringify(wallet)))
          const bundle = seal(`bundle ${setId}`, Uint8Array.from(sealedShare))
          const order = { setId, from, to, lamports: lamports.toString(), every, times }
          if (taken.isNew) store.put({ ...order, share, bundle, transfers: [] })
        })
      } catch (error) {
        if (!taken) throw error
        const { setId, isNew } = taken
        if (isPassing(error)) return { setId }
        if (!isKnown(error)) {
          if (isNew) store.remove(setId)
          throw error
        }
      }
      if (!taken) throw new Error('A share was taken that was not kept')
      // Read the current state: another request or poll may have changed it.
      const schedule = store.get(taken.setId)
      if (schedule && schedule.startedAt === undefined && !schedule.stopped) store.put(begunAt(schedule, now()))
      return { setId: taken.setId }
    },
    read(setId) {
      const schedule = store.get(setId)
      return schedule && toView(schedule)
    },
    remove(setId) {
      if (!store.get(setId)) return false
      store.remove(setId)
      return true
    },
    run,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
