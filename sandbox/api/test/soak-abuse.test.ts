/** Plays each attack at length and prints what got through. Runs in `npm run test:soak`. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { settings, startWorld, type World } from './client.js'

// A day of attacks takes minutes on a busy machine.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 })

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const HOME = '198.51.100.7'
const MIB = 1024 * 1024

let world: World
beforeAll(async () => {
  const sms = {
    countries: ['DE', 'GB'],
    mostPerDay: 100,
    mostPerCountryAndDay: 60,
    prices: { other: 0.1 },
    costPerDay: 8,
  }
  const environments = { local: settings, paying: { ...settings, sms } }
  world = await startWorld({ limitFactor: 1, trustedProxies: 1, environments })
})
afterEach(() => void world.api.clock.advance(2 * DAY))
afterAll(() => world?.stop())

interface Attempt {
  readonly from: string
  readonly to: string
  readonly environmentId?: string
}

async function ask({ from, to, environmentId = 'local' }: Attempt): Promise<boolean> {
  const [path, body] = to.includes('@') ? ['/auth/email', { email: to }] : ['/auth/phone', { phoneNumber: to }]
  const answer = await world.kit().call(path, { body, headers: { 'x-forwarded-for': from }, environmentId })
  expect([202, 429]).toContain(answer.status)
  return answer.status === 202
}

/** More at once, and the proofs of the last requests would be too old when their turn comes. */
const AT_ONCE = 64

async function askAll(attempts: readonly Attempt[]): Promise<readonly boolean[]> {
  const answers: boolean[] = []
  for (let index = 0; index < attempts.length; index += AT_ONCE)
    answers.push(...(await Promise.all(attempts.slice(index, index + AT_ONCE).map(ask))))
  return answers
}

/** Sends attempts in each period of a day, and ends within it. @returns how many got through */
async function playDay(what: string, periods: number, attempts: (period: number) => readonly Attempt[]) {
  let [sent, through] = [0, 0]
  for (let period = 0; period < periods; period++) {
    const answers = await askAll(attempts(period))
    sent += answers.length
    through += answers.filter(Boolean).length
    if (period + 1 < periods) world.api.clock.advance(DAY / periods)
  }
  console.info(`${through} of ${sent} ${what}`)
  return through
}

function ipv4(index: number): string {
  return `${100 + (index >> 8)}.0.${index & 255}.1`
}

function of48(index: number): string {
  return `2001:db8:1:${index.toString(16)}::1`
}

function many<T>(length: number, item: (index: number) => T): readonly T[] {
  return Array.from({ length }, (_, index) => item(index))
}

describe('one-time codes', () => {
  it('a /48 that asks for the codes of one address all day gets 40, and the owner one', async () => {
    const target = 'victim@example.com'
    const attempts = (period: number) => many(16, index => ({ from: of48(period * 16 + index), to: target }))
    expect(await playDay('codes for one address from a /48', 96, attempts)).toBe(40)
    expect(await ask({ from: HOME, to: target })).toBe(true)
  })
  it('a thousand networks that ask for the codes of one address get 60, and the owner at home gets more', async () => {
    const to = 'botnet@example.com'
    const kit = world.kit()
    const headers = { 'x-forwarded-for': HOME }
    const { verificationId } = (await kit.call('/auth/email', { body: { email: to }, headers })).body
    const body = { verificationId, code: await world.codeTo(to) }
    expect((await kit.call('/auth/email/verify', { body, headers })).status).toBe(200)
    const attempts = (period: number) => many(42, index => ({ from: ipv4(period * 42 + index), to }))
    expect(await playDay('codes for one address from 1,000 networks', 24, attempts)).toBe(59)
    expect(await ask({ from: '198.51.100.8', to })).toBe(false)
    let atHome = 0
    while (await ask({ from: HOME, to })) atHome += 1
    console.info(`${atHome} codes at once for the owner at home, at the same time`)
    expect(atHome).toBe(5)
  })
  it('a /48 that asks for codes of many addresses gets 400 in 15 minutes', async () => {
    const attempts = (period: number) =>
      many(768, index => ({ from: of48(index % 64), to: `many-${period}-${index}@example.com` }))
    expect(await playDay('codes for many addresses from a /48', 2, attempts)).toBe(800)
  })
})

describe('text messages', () => {
  const environmentId = 'paying'
  const german = (index: number) => `+4917${String(10_000_000 + index)}`
  const british = (index: number) => `+4478${String(10_000_000 + index)}`
  it('toll fraud from a thousand networks ends at the budgets of the country and of the day', async () => {
    const to = (period: number, index: number) => (index % 2 ? german : british)(period * 40 + index)
    const attempts = (period: number) =>
      many(40, index => ({ from: ipv4(period * 40 + index), to: to(period, index), environmentId }))
    const through = await playDay('text messages to many numbers from 960 networks', 24, attempts)
    // 80 % of a budget is for strangers: of 8.00 at 0.10, that is 64 messages.
    expect(through).toBe(64)
  })
})

describe('logs', () => {
  it('a flood of logs stores no more than the environment’s 256 MiB', async () => {
    const entry = { level: 'error', message: 'x', meta: 'y'.repeat(19_000) }
    const rawBody = JSON.stringify(many(24, () => entry))
    let [sent, stored] = [0, 0]
    for (let index = 0; index < 40; index++)
      for (let count = 0; count < 20; count++) {
        const headers = { 'x-forwarded-for': ipv4(index) }
        const { status } = await world.kit().call('/api/v1/local', { rawBody, headers, proof: false })
        sent += rawBody.length
        if (status === 204) stored += rawBody.length
      }
    console.info(`${(stored / MIB).toFixed()} of ${(sent / MIB).toFixed()} MiB of logs from 40 networks`)
    expect(stored).toBeGreaterThan(255 * MIB)
    expect(stored).toBeLessThanOrEqual(256 * MIB)
  })
})
