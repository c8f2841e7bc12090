/**
 * A day in production: users sign in, renew, sign, also with custody, and reshare while instances crash, are replaced,
 * and keys are rotated.
 * `npm test` has the short one; `npm run test:soak` goes on for ten minutes.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../src/audit.js'
import { rotate } from '../src/rotate.js'
import { startCustodian } from './day/custodian.js'
import { type Fleet, PLACES, startFleet } from './day/fleet.js'
import { startReader } from './day/reader.js'
import { Visitor } from './day/users.js'

const isSoak = process.env.KEYBAY_SOAK === '1'
const SOAK_MS = 10 * 60_000
const VISITORS = isSoak ? 12 : 4
const CUSTODIANS = isSoak ? 3 : 1
/** Time between two signatures of a custodian, in ms. */
const PAUSE_MS = 250
/** Operations that users confirm between two incidents. */
const PAUSE = isSoak ? 60 : 8

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
}, 240_000)
afterAll(() => fleet?.stop())

/** Takes a step of a rotation: of R1's key-encryption key, or of the API's secret. */
async function rotateKey(place: 'api' | 'r1', step: 1 | 2 | 3): Promise<void> {
  const env = fleet.environments().get(place) ?? {}
  const key = place === 'api' ? 'secret' : 'kek'
  const text = await rotate(new Map([[place, env]]), { key, isRestarted: step > 1, now: Date.now() })
  expect(text).toContain(`${place}: Step ${step} of 3`)
}

async function rollCleanly(place: (typeof PLACES)[number]): Promise<void> {
  expect([place, await fleet.roll(place)]).toEqual([place, [0, 0]])
}

/** Incidents of the services, in order. Each incident ends when the service has two instances again. */
const INCIDENTS: readonly (() => Promise<unknown>)[] = [
  () => fleet.kill('api'),
  () => rotateKey('r1', 1),
  () => fleet.kill('r2'),
  () => rollCleanly('r1'),
  () => rotateKey('r1', 2),
  () => rotateKey('api', 1),
  () => rollCleanly('api'),
  () => fleet.kill('custody'),
  () => fleet.kill('r1'),
  () => rollCleanly('r1'),
  () => rotateKey('r1', 3),
  () => rotateKey('api', 2),
  () => rollCleanly('api'),
  () => rollCleanly('custody'),
  () => rotateKey('api', 3),
  () => fleet.kill('frame'),
  () => rollCleanly('frame'),
  () => rollCleanly('r2'),
]
/** The short day: crashes, and one replacement. */
const SHORT: typeof INCIDENTS = [
  () => fleet.kill('api'),
  () => Promise.all([fleet.kill('r2'), fleet.kill('custody')]),
  () => fleet.kill('r1'),
  () => Promise.all([rollCleanly('api'), rollCleanly('frame')]),
]

it(
  'crashes, replacements and a key rotation lose nothing that users were told, and cause no 5xx but 503',
  async () => {
    const visitors = Array.from({ length: VISITORS }, (_, number) => new Visitor(fleet, number))
    const reader = await startReader(fleet)
    const [custodians] = await Promise.all([
      Promise.all(Array.from({ length: CUSTODIANS }, () => startCustodian(fleet, PAUSE_MS))),
      ...visitors.map(visitor => visitor.arrive()),
    ])
    let isOver = false
    let confirmed = 0
    let wake = () => {}
    const onDone = () => {
      confirmed++
      wake()
    }
    const over = () => isOver
    const lives = Promise.all([
      ...visitors.map(visitor => visitor.live(over, onDone)),
      ...custodians.map(custodian => custodian.live(over)),
      reader.live(over),
    ])
    const pause = async () => {
      for (const goal = confirmed + PAUSE; confirmed < goal; )
        await Promise.race([lives, new Promise<void>(resolve => (wake = resolve))])
    }
    const end = Date.now() + SOAK_MS
    do {
      for (const incident of isSoak ? INCIDENTS : SHORT) {
        await pause()
        await Promise.race([incident(), lives])
      }
      await pause()
    } while (isSoak && Date.now() < end)
    isOver = true
    await lives
    for (const visitor of visitors) await visitor.check()
    for (const visitor of visitors) expect(await visitor.repeatSpent()).toBeGreaterThan(0)
    const signatures: number[] = []
    for (const custodian of custodians) {
      expect(await custodian.repeat()).toBeGreaterThan(0)
      signatures.push(await custodian.check())
    }
    const read = await reader.check()
    expect(read).toMatchObject({ wrong: [] })
    expect(read.loads).toBeGreaterThan(0)
    for (const place of PLACES) expect([place, fleet.balancers[place].failures]).toEqual([place, []])
    const audited = new Map([...fleet.environments()].filter(([place]) => place !== 'api' && place !== 'frame'))
    expect(await audit({ environments: audited, logs: [], keys: [], wallet: undefined })).toMatch(/custody/)
    if (isSoak)
      console.info(
        visitors.map(({ done }) => done),
        { signatures, loads: read.loads },
      )
    for (const name of ['renewals', 'signatures', 'reshares', 'signUps'] as const)
      expect([name, Math.max(...visitors.map(({ done }) => done[name]))]).not.toEqual([name, 0])
  },
  isSoak ? 2 * SOAK_MS : 180_000,
)

it('a request that comes with a trace is followed to the other services and to their databases', async () => {
  const { balancers, collector } = fleet
  const visitor = new Visitor(fleet, VISITORS)
  for (const place of PLACES) balancers[place].traceId = TRACE
  await visitor.arrive()
  const userId = visitor.known.get(visitor.email) ?? ''
  expect((await fleet.operate(`/users/${userId}/block`)).status).toBe(200)
  for (const place of PLACES) balancers[place].traceId = undefined
  const sdk = '/api/v0/sdk/:environmentId'
  const finish = `r1 POST ${sdk}/wallets/create/finish`
  const paths = [
    `api POST ${sdk}/auth/email/verify > api INSERT`,
    `${finish} > r1 POST > api POST ${sdk}/embedded-wallets > api INSERT`,
    `${finish} > r1 POST > r2 POST /api/v0/peer/record > r2 INSERT`,
    `api POST ${sdk}/users/:id/block > api POST > r1 POST ${sdk}/operator > r1 INSERT`,
    `api POST ${sdk}/users/:id/block > api POST > r2 POST ${sdk}/operator > r2 INSERT`,
  ]
  await expect.poll(() => collector.spans.map(span => collector.pathOf(span))).toEqual(expect.arrayContaining(paths))
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
  const texts = collector.spans.flatMap(span => span.texts)
  for (const secret of [userId, visitor.email]) expect(texts.filter(text => text.includes(secret))).toEqual([])
})
