/**
 * Comparison with the other relay. A relay signs nothing until it has compared its records with its peer since its
 * start; a wallet in which it is behind is quarantined until the peer has shown what is missing.
 */
import { afterComparison, compareHistories, type Relation, type Side } from '@keybay/waas/mpc'
import { and, eq, isNotNull } from 'drizzle-orm'
import { shareSets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import type { Services } from '../services.js'
import { findHash, getHead, readHeads } from '../store/records.js'
import { comparison, type Difference, HEADS_PER_PAGE, history } from './peer-log.js'
import { takeEntry } from './take.js'
import { oweAgain, sendOwed } from './witness.js'

export interface Comparison {
  /** Waits until this relay has compared itself. @throws RelayError `not_compared` while the peer does not answer */
  ready(): Promise<void>
  /** Compares again before the next signature. */
  restart(): void
  /** Compares where that is due, without a caller that waits. Never throws. */
  check(): Promise<void>
}

export function createComparison(getServices: () => Services): Comparison {
  /** Number of comparisons that were needed, and how many of them the newest finished one covers. */
  let needed = 1
  let covered = 0
  let running: Promise<void> | undefined
  const start = async (): Promise<void> => {
    const covers = needed
    await compareAll(getServices())
    covered = covers
  }
  const run = (): Promise<void> => {
    running ??= start().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    async ready() {
      if (!getServices().peer.exists) return
      try {
        // The comparison that runs may have read what has changed since, so another one follows it.
        while (covered < needed) await run()
      } catch (error) {
        getServices().log({ level: 'error', message: NOT_COMPARED, error: String(error) })
        throw new RelayError('not_compared')
      }
    },
    restart() {
      needed += 1
    },
    async check() {
      const { peer, db, log } = getServices()
      if (!peer.exists) return
      const held = await db.$count(shareSets, isNotNull(shareSets.quarantinedAt))
      if (covered === needed && held === 0) return
      await running?.catch(() => undefined)
      await run().catch((error: unknown) => log({ level: 'error', message: NOT_COMPARED, error: String(error) }))
    },
  }
}
const NOT_COMPARED = 'this relay has not compared itself with the other relay yet, and signs nothing until then'

async function compareAll(services: Services): Promise<void> {
  const { db, peer } = services
  const held = await quarantined(services)
  let after = ''
  for (;;) {
    const heads = await readHeads(db, { after, limit: HEADS_PER_PAGE })
    const until = heads.length === HEADS_PER_PAGE ? heads.at(-1)?.walletId : undefined
    const answer = await peer.compare('/peer/compare', { after, until, heads }, comparison.answer)
    for (const difference of answer.different) {
      if (!(await isSolved(services, difference))) held.delete(difference.walletId)
    }
    if (answer.until === undefined) break
    after = answer.until
  }
  for (const walletId of held) await lift(services, walletId)
  // A record that R2 refuses now belongs to a fork, which this comparison has found: another one would find the same.
  await sendOwed(services)
}

async function quarantined({ db }: Services): Promise<Set<string>> {
  const { walletId, quarantinedAt } = shareSets
  const rows = await db.selectDistinct({ walletId }).from(shareSets).where(isNotNull(quarantinedAt))
  return new Set(rows.map(row => row.walletId))
}

/** Does what follows from one difference. @returns true when the wallet may sign */
async function isSolved(services: Services, difference: Difference): Promise<boolean> {
  const { walletId, peer } = difference
  const ownSide = await getSide(services, walletId, peer)
  const relation = compareHistories(ownSide, peer)
  const consequence = afterComparison(services.party, relation)
  if (consequence === 'deliver' && ownSide)
    await oweAgain(services, walletId, (peer?.generation ?? -1) + 1, ownSide.generation)
  if (consequence === 'serve' || consequence === 'deliver') return true
  await quarantine(services, walletId, relation)
  if (consequence === 'quarantine') return false
  return repair(services, walletId, ownSide ? ownSide.generation + 1 : 0)
}

async function getSide({ db }: Services, walletId: string, peer: Side | undefined): Promise<Side | undefined> {
  const head = await getHead(db, walletId)
  return head && { ...head, at: peer && (await findHash(db, walletId, peer.generation)) }
}

/** Applies the records that only the peer has. @returns false when one of them does not fit: the wallet stays quarantined */
async function repair(services: Services, walletId: string, from: number): Promise<boolean> {
  try {
    for (let next = from; ; ) {
      const { entries } = await services.peer.compare('/peer/history', { walletId, from: next }, history.answer)
      for (const entry of entries) await takeEntry(services, entry)
      next += entries.length
      if (entries.length === 0) break
    }
  } catch (error) {
    if (error instanceof RelayError && error.code === 'peer_unavailable') throw error
    services.log({ level: 'error', message: 'a wallet stays quarantined', walletId, error: String(error) })
    return false
  }
  await lift(services, walletId)
  return true
}

/** Stops every set of the wallet. */
async function quarantine(services: Services, walletId: string, relation: Relation): Promise<void> {
  const { db, clock, log } = services
  const at = clock.now()
  for (const row of await db.select().from(shareSets).where(eq(shareSets.walletId, walletId))) {
    if (row.quarantinedAt !== null) continue
    const entry = { at, what: 'quarantined' as const, userId: row.userId, epoch: row.epoch, relation }
    await services.sets.change(row, () => ({ values: { quarantinedAt: at }, entry }))
  }
  const message =
    relation === 'fork'
      ? 'a wallet is quarantined: the relays have different histories of it, and an operator has to find out why'
      : 'a wallet is quarantined: this relay was restored and is behind the other relay'
  log({ level: 'error', message, walletId })
}

async function lift(services: Services, walletId: string): Promise<void> {
  const { db, clock, sets, log } = services
  const isHeld = and(eq(shareSets.walletId, walletId), isNotNull(shareSets.quarantinedAt))
  const rows = await db.select().from(shareSets).where(isHeld)
  for (const row of rows) {
    const entry = { at: clock.now(), what: 'released' as const, userId: row.userId, epoch: row.epoch }
    await sets.change(row, () => ({ values: { quarantinedAt: null }, entry }))
  }
  if (rows.length > 0) log({ level: 'warn', message: 'a wallet has caught up with the other relay', walletId })
}
