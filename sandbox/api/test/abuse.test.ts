/** Plays floods and cost attacks from outside, and counts what gets through. */
import { afterAll, assert, describe, expect, it } from 'vitest'
import { getCodeExpenses } from '../src/accounts/codes.js'
import { readEnvironments } from '../src/environments.js'
import { type Answer, getStatuses, refused, settings, startWorld } from './client.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const HOME = '198.51.100.7'

const world = await startWorld({
  limitFactor: 1,
  trustedProxies: 1,
  environments: {
    local: settings,
    other: { ...settings, name: 'Other' },
    paying: {
      ...settings,
      sms: { countries: ['DE', 'CH'], mostPerDay: 10, mostPerCountryAndDay: 8, prices: { CH: 0.5 }, costPerDay: 2 },
    },
    dear: { ...settings, sms: { mostPerDay: 1000, mostPerCountryAndDay: 1000, prices: { other: 0.5 }, costPerDay: 5 } },
  },
})
afterAll(world.stop)

interface Origin {
  readonly from: string
  readonly environmentId?: string
}

function ask(to: string, { from, environmentId = 'local' }: Origin): Promise<Answer> {
  const [path, body] = to.includes('@') ? ['/auth/email', { email: to }] : ['/auth/phone', { phoneNumber: to }]
  return world.kit().call(path, { body, headers: { 'x-forwarded-for': from }, environmentId })
}

/** Returns the number of requests that got through. */
async function count(requests: Iterable<Promise<Answer>>): Promise<number> {
  return getStatuses(await Promise.all(requests)).filter(status => status === 202).length
}

/** Signs in by email from a network. @param first network that asks for the code */
async function signIn(email: string, from: string, first = from): Promise<void> {
  const kit = world.kit()
  const headers = { 'x-forwarded-for': from }
  const asked = { body: { email }, headers: { 'x-forwarded-for': first } }
  const { verificationId } = (await kit.call('/auth/email', asked)).body
  const code = await world.codeTo(email)
  expect((await kit.call('/auth/email/verify', { body: { verificationId, code }, headers })).status).toBe(200)
}

describe('finding 9: using up the codes of an address', () => {
  it('an IPv6 /48 gets at most 40 codes a day for an address, and its owner still gets one', async () => {
    let through = 0
    for (let quarter = 0; quarter < 6; quarter++) {
      const networks = Array.from({ length: 16 }, (_, index) => `2001:db8:9:${(quarter * 16 + index).toString(16)}::1`)
      through += await count(networks.map(from => ask('target@example.com', { from })))
      world.api.clock.advance(15 * MINUTE)
    }
    expect(through).toBe(40)
    expect((await ask('target@example.com', { from: HOME })).status).toBe(202)
    world.api.clock.advance(DAY)
  })
  it('an address that is used up in one environment has all its codes in another', async () => {
    const networks = Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`)
    expect(await count(networks.map(from => ask('tenant@example.com', { from })))).toBe(15)
    const environmentId = 'other'
    expect(await count(networks.map(from => ask('tenant@example.com', { from, environmentId })))).toBe(15)
    world.api.clock.advance(DAY)
  })
  it('spends budgets of a site only where the site is larger than the network', () => {
    const environment = readEnvironments({ local: settings }, new Set()).get('local')
    assert(environment)
    const countSites = (network: string) =>
      getCodeExpenses({ network, environment }, 'email', { address: 'a@example.com' }).filter(({ name }) =>
        name.includes('site'),
      ).length
    expect([countSites(HOME), countSites('2001:db8:9:1::/64')]).toEqual([0, 3])
  })

  it('keeps codes for a network where the owner of the address signed in, whatever other networks use up', async () => {
    await signIn('owner@example.com', HOME)
    const networks = Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`)
    expect(await count(networks.map(from => ask('owner@example.com', { from })))).toBe(14)
    await refused(ask('owner@example.com', { from: '203.0.113.1' }), 429, 'too_many_requests')
    expect(await count(Array.from({ length: 4 }, () => ask('owner@example.com', { from: HOME })))).toBe(4)
    world.api.clock.advance(DAY)
  })
  it('knows a network for 90 days after the last sign-in there', async () => {
    for (const days of [50, 89]) {
      await signIn('faithful@example.com', HOME)
      world.api.clock.advance(days * DAY)
    }
    const networks = Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`)
    expect(await count(networks.map(from => ask('faithful@example.com', { from })))).toBe(15)
    expect((await ask('faithful@example.com', { from: HOME })).status).toBe(202)
    world.api.clock.advance(2 * DAY)
    expect(await count(networks.map(from => ask('faithful@example.com', { from })))).toBe(15)
    await refused(ask('faithful@example.com', { from: HOME }), 429, 'too_many_requests')
    world.api.clock.advance(DAY)
  })
  it('knows the network where a code is entered, not the one that asked for it', async () => {
    await signIn('moved@example.com', '192.0.2.200')
    await signIn('moved@example.com', HOME, '203.0.113.1')
    const networks = Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`)
    expect(await count(networks.map(from => ask('moved@example.com', { from })))).toBe(13)
    await refused(ask('moved@example.com', { from: '203.0.113.1' }), 429, 'too_many_requests')
    expect((await ask('moved@example.com', { from: HOME })).status).toBe(202)
    world.api.clock.advance(DAY)
  })
  it('a refused request does not count for the budgets that it shares with others', async () => {
    const flood = Array.from({ length: 40 }, () => ask('shared@example.com', { from: '192.0.2.1' }))
    expect(await count(flood)).toBe(5)
    const networks = Array.from({ length: 10 }, (_, index) => `203.0.113.${index}`)
    expect(await count(networks.map(from => ask('shared@example.com', { from })))).toBe(10)
    world.api.clock.advance(DAY)
  })
})

const SPELLINGS = [
  '2001:db8:77:1::1',
  '2001:DB8:77:1::1',
  '2001:0db8:0077:0001:0000:0000:0000:0001',
  '[2001:db8:77:1::1]:443',
  '[2001:db8:77:1::1]',
  '2001:db8:77:1::1%eth0',
  '2001:db8:77:1:0::0.0.0.1',
]

describe('finding 21: one client with many names', () => {
  it.each([
    ['ports', (index: number) => `192.0.2.77:${5000 + index}`],
    ['spellings of one IPv6 address', (index: number) => SPELLINGS[index % SPELLINGS.length] ?? ''],
    ['lies in front', (index: number) => `203.0.113.${index}, 192.0.2.78`],
    ['names that are no address', (index: number) => `unknown-${index}`],
  ])('%s do not give a client more codes', async (_, name) => {
    const email = `names-${name(0).length}@example.com`
    expect(await count(Array.from({ length: 12 }, (__, index) => ask(email, { from: name(index) })))).toBe(5)
    world.api.clock.advance(DAY)
  })
})

describe('finding 10: toll fraud', () => {
  const german = (index: number) => `+49170123${String(4000 + index)}`
  const swiss = (index: number) => `+4179555${String(1000 + index)}`
  const environmentId = 'paying'
  const send = (numbers: readonly string[]) =>
    count(numbers.map((to, index) => ask(to, { from: `192.0.2.${index}`, environmentId })))
  const many = (number: (index: number) => string, length = 20) => Array.from({ length }, (_, index) => number(index))

  it('sends no SMS to a country that the environment does not name', async () => {
    await refused(ask('+12025550123', { from: HOME, environmentId }), 403, 'method_not_enabled', { reason: 'country' })
  })
  it('sends at most so many SMS a day to a country, and so many to all, and keeps a fifth for known clients', async () => {
    expect(await send(many(german))).toBe(6)
    expect(await send(many(swiss))).toBe(2)
    world.api.clock.advance(DAY)
  })
  it('stops at the cost of a day', async () => {
    expect(await send(many(swiss))).toBe(3)
    world.api.clock.advance(DAY)
    const numbers = ['+881612345678', ...many(swiss, 10)]
    const asked = numbers.map((to, index) => ask(to, { from: `192.0.2.${index}`, environmentId: 'dear' }))
    expect(await count(asked)).toBe(8)
    world.api.clock.advance(DAY)
  })
  it('sends no SMS to premium, shared-cost and toll-free numbers', async () => {
    for (const number of ['+19005551234', '+441815551234567', '+498001234567', '+4990012345678'])
      await refused(ask(number, { from: HOME }), 400, 'invalid_phone')
  })
  it('a live environment without a list of countries sends no SMS', () => {
    const live = { ...settings, kind: 'live' } as const
    const read = (more: object) => readEnvironments({ live: { ...live, ...more } }, new Set()).get('live')?.signIn.phone
    expect(read({})).toBe(false)
    expect(read({ sms: { countries: ['DE'] } })).toBe(true)
    expect(() => read({ signIn: { phone: true } })).toThrow(/environment "live": sms\.countries/)
    expect(() => read({ sms: { countries: ['Germany'] } })).toThrow(/sms\.countries/)
  })
})

describe('finding 14: filling the database with logs', () => {
  it('a network stores at most 8 MiB of logs a day, and a /48 at most 32 MiB', async () => {
    const body = JSON.stringify(
      Array.from({ length: 24 }, () => ({ level: 'error', message: 'x', meta: 'y'.repeat(19_000) })),
    )
    const store = async (from: string) => {
      const headers = { 'x-forwarded-for': from }
      const { status } = await world.kit().call('/api/v1/local', { rawBody: body, headers, proof: false })
      return status
    }
    const flood = async (from: string) => {
      let bytes = 0
      while ((await store(from)) === 204) bytes += body.length
      return bytes
    }
    expect(await flood('192.0.2.1')).toBeLessThanOrEqual(8 * 1024 * 1024)
    let site = 0
    for (let index = 0; index < 6; index++) site += await flood(`2001:db8:14:${index}::1`)
    expect(site).toBeGreaterThan(24 * 1024 * 1024)
    expect(site).toBeLessThanOrEqual(32 * 1024 * 1024)
    expect(await store(HOME)).toBe(204)
    world.api.clock.advance(DAY)
  })
})

describe('a flood of bodies', () => {
  it('refuses more than 8 MiB of bodies from a network at once before it parses them, and serves other networks', async () => {
    const rawBody = `{"email":"${'x'.repeat(60_000)}`
    const send = (from: string) =>
      world.kit().call('/auth/email', { rawBody, headers: { 'x-forwarded-for': from }, proof: false })
    const begun = world.api.clock.now()
    const answers = await Promise.all(Array.from({ length: 300 }, () => send('192.0.2.200')))
    const seconds = (world.api.clock.now() - begun) / 1000
    const parsed = answers.filter(({ body }) => body.code === 'invalid_request')
    expect(parsed.length).toBeLessThanOrEqual((8 * 1024 + seconds * 256) / 59)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(300 - parsed.length)
    await refused(send('192.0.2.201'), 400, 'invalid_request')
  })
})

describe('one phone number, one user', () => {
  it.each(['+49 (0)170 7654321', '+4901707654321', '0049 170 7654321', '+49 (170) 765-4321', '+49.170.7654321'])(
    '%s is +491707654321',
    async written => {
      const answer = await ask(written, { from: HOME })
      expect(answer.status).toBe(202)
      expect((await world.smsTo('+491707654321')).text).toMatch(/\d{6}/)
      world.api.clock.advance(DAY)
    },
  )
})
