/**
 * The services on PostgreSQL with a synchronous standby, Patroni and etcd, under load, while the primary fails in four
 * ways. It mounts the nodes' disks, so it needs root.
 */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from './availability/cluster.js'
import type { Node } from './availability/node.js'
import { startCustodian } from './day/custodian.js'
import { DATABASES, type Fleet, startFleet } from './day/fleet.js'
import { Visitor } from './day/users.js'

const VISITORS = 3
const SIGNERS = 2
/** Time between two signatures of one signer, in ms. */
const PAUSE_MS = 250
/** Signatures of each signer before and after each failure. */
const STEADY = 10
/** Bytes of one entry that fills the disk. */
const ENTRY = 1_000_000

interface Failure {
  readonly name: string
  /** Longest time until users sign again, in s. */
  readonly limitS: number
  readonly cause: (primary: Node) => Promise<void> | void
  readonly repair: (failed: Node) => void
}

/** Writes until PostgreSQL finds no room and stops. */
async function exhaustDisk(primary: Node): Promise<void> {
  primary.fillDisk()
  for (;;)
    try {
      await primary.query(`select pg_logical_emit_message(false, 'fill', repeat('x', ${ENTRY}))`)
    } catch {
      return
    }
}

const FAILURES: readonly Failure[] = [
  { name: 'PostgreSQL is killed', limitS: 15, cause: primary => primary.killPostgres(), repair: () => undefined },
  { name: 'the disk is full', limitS: 40, cause: exhaustDisk, repair: failed => failed.emptyDisk() },
  { name: 'the network is cut', limitS: 40, cause: primary => primary.cut(), repair: failed => failed.mend() },
  {
    name: 'the node is turned off',
    limitS: 40,
    cause: primary => primary.kill(),
    repair(failed) {
      failed.mend()
      failed.start()
    },
  },
]

/** Signs again and again, and remembers when each signature began and was confirmed. */
class Signer {
  readonly #sign: () => Promise<void>
  readonly #times: (readonly [number, number])[] = []
  #wake = () => {}

  constructor(sign: () => Promise<void>) {
    this.#sign = sign
  }

  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const began = performance.now()
      await this.#sign()
      this.#times.push([began, performance.now()])
      this.#wake()
      await setTimeout(PAUSE_MS)
    }
  }

  /** Waits for signatures that began after `since`. @returns when the first of them was confirmed */
  async waitFor(count: number, since: number): Promise<number> {
    for (;;) {
      const later = this.#times.filter(([began]) => began >= since)
      if (later.length >= count && later[0]) return later[0][1]
      await new Promise<void>(resolve => (this.#wake = resolve))
    }
  }
}

describe('with a synchronous standby, users are told nothing wrong', { timeout: 180_000 }, () => {
  let cluster: Cluster
  let fleet: Fleet
  let custodian: Awaited<ReturnType<typeof startCustodian>>
  let signers: readonly (readonly [string, Signer])[]
  let visitors: readonly Visitor[]
  let isOver = false
  let lives: Promise<unknown> = Promise.resolve()
  const closers: (() => unknown)[] = []
  beforeAll(async () => {
    cluster = await startCluster(DATABASES)
    closers.push(cluster.stop)
    await cluster.waitUntilHealthy()
    fleet = await startFleet({ create: cluster.create, stop: () => undefined })
    closers.push(fleet.stop)
    custodian = await startCustodian(fleet, PAUSE_MS)
    visitors = Array.from({ length: VISITORS + SIGNERS }, (_, number) => new Visitor(fleet, number))
    await Promise.all(visitors.map(visitor => visitor.arrive()))
    signers = [
      ...visitors.slice(VISITORS).map(visitor => [visitor.email, new Signer(() => visitor.sign())] as const),
      ['custody', new Signer(custodian.sign)],
    ]
    const over = () => isOver
    lives = Promise.all([
      ...visitors.slice(0, VISITORS).map(visitor => visitor.live(over, () => undefined)),
      ...signers.map(([, signer]) => signer.live(over)),
    ])
    lives.catch(() => undefined)
  }, 600_000)
  afterAll(async () => {
    isOver = true
    for (const close of closers.reverse()) await close()
  })

  /** Waits until each signer has so many signatures that began after `since`. @returns s until the first of each */
  const measure = async (count: number, since: number) => {
    const waits = signers.map(async ([name, signer]) => {
      const confirmed = await signer.waitFor(count, since)
      return [name, (confirmed - since) / 1_000] as const
    })
    return Promise.race([Promise.all(waits), lives.then(() => [])])
  }

  it.each(FAILURES)(
    '$name: users sign again within $limitS s, and nothing confirmed is lost or used twice',
    async failure => {
      const [primary] = await cluster.waitUntilHealthy()
      await measure(STEADY, performance.now())
      await failure.cause(primary)
      const since = performance.now()
      try {
        const seconds = await measure(1, since)
        const repeated = await Promise.all(visitors.map(visitor => visitor.repeatSpent()))
        const activities = await custodian.repeat()
        console.info(failure.name, { seconds: Object.fromEntries(seconds), repeated, activities })
        for (const [name, took] of seconds) expect([name, took < failure.limitS, took]).toEqual([name, true, took])
      } finally {
        failure.repair(primary)
      }
      await cluster.waitUntilHealthy()
      console.info('A standby is synchronous again', (performance.now() - since) / 1_000)
    },
  )

  it('every wallet, share and audit record that was confirmed is there, and there was no 5xx but 503 with Retry-After', async () => {
    isOver = true
    await lives
    for (const visitor of visitors) await visitor.check()
    await custodian.check()
    for (const [place, balancer] of Object.entries(fleet.balancers)) {
      console.info(place, Object.fromEntries(balancer.statuses))
      expect([place, balancer.failures]).toEqual([place, []])
    }
  })
})
