/** Floods of requests and derivations: what one network or one user may cost all others. */
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { afterAll, describe, expect, it } from 'vitest'
import { kinds } from '../src/activities/kinds.js'
import { createDeriver } from '../src/keys/deriver.js'
import { queries } from '../src/queries/queries.js'
import { ETHEREUM, type KeyPair, post, SOLANA, startWorld } from './world.js'

const MINUTE = 60_000
/** A hundredth of each limit: 10 requests of a network at once, 6 queries and 3 activities of a user a minute. */
const world = await startWorld({ limitFactor: 0.01, trustedProxies: 1 })
afterAll(() => world.stop())
const { internalUrl } = world.custody
const ann = await world.user()
const key = await world.session(ann, 86_400)
const LIMITED = { status: 429, answer: { code: 8, turnkeyErrorCode: 'RATE_LIMITED' } }

const paths = [
  ...queries.map(({ path }) => `public/v1/query/${path}`),
  ...kinds.map(({ path }) => `public/v1/submit/${path}`),
  'operator/organizations',
]

async function send(path: string, from: string, signed?: { body: string; stamp: string }) {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': from,
    ...(signed && { 'x-stamp': signed.stamp }),
  }
  const response = await fetch(`${internalUrl}/${path}`, { method: 'POST', headers, body: signed?.body ?? '{}' })
  return { status: response.status, retryAfter: response.headers.get('retry-after'), answer: await response.json() }
}

async function stamp(body: object, { publicKey, privateKey }: KeyPair) {
  const text = JSON.stringify(body)
  const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey })
  return { body: text, stamp: (await stamper.stamp(text)).stampHeaderValue }
}

describe('finding 13: limits on every route', () => {
  it.each(paths.map((path, index) => [path, `192.0.2.${index}`] as const))(
    '%s limits the requests of a network before it reads their stamps',
    async (path, from) => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => send(path, from)))
      const limited = answers.filter(({ status }) => status === 429)
      expect(limited.length).toBeGreaterThan(0)
      expect(limited.length).toBeLessThanOrEqual(20)
      expect(limited[0]).toMatchObject({ ...LIMITED, retryAfter: '1' })
    },
  )
  it('a flood of GET /enclave gets 429 in the form of all errors, readable by pages', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.2', origin: 'https://anywhere.example' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => fetch(`${internalUrl}/enclave`, { headers })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited[0]?.headers.get('retry-after')).toBe('1')
    for (const answer of answers) expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await limited[0]?.json()).toMatchObject(LIMITED.answer)
  })
  it('counts a large body as many requests', async () => {
    const signed = { body: `{"padding":"${'x'.repeat(100_000)}"}`, stamp: '' }
    expect(await send('public/v1/query/whoami', '203.0.113.1', signed)).toMatchObject(LIMITED)
  })
  it.each(queries.map(({ path }, index) => [path, index] as const))(
    'query/%s limits the queries of a user from all networks together',
    async (path, index) => {
      world.custody.clock.advance(MINUTE)
      const fields = { organizationId: ann.organizationId, userId: ann.userId, activityId: 'none' }
      const names = path === 'get_user' ? ['userId'] : path === 'get_activity' ? ['activityId'] : []
      const entries = Object.entries(fields).filter(([name]) => name === 'organizationId' || names.includes(name))
      const signed = await stamp(Object.fromEntries(entries), key)
      for (let count = 0; count < 6; count++)
        expect((await send(`public/v1/query/${path}`, `198.51.${index}.${count}`, signed)).status).not.toBe(429)
      expect(await send(`public/v1/query/${path}`, `198.51.${index}.99`, signed)).toMatchObject(LIMITED)
    },
  )
  it.each(kinds.map(({ path, types: [type = ''] }, index) => [path, type, index] as const))(
    'submit/%s limits the activities of a user from all networks together',
    async (path, type, index) => {
      world.custody.clock.advance(MINUTE)
      const signed = await stamp(ann.request(type, {}), key)
      for (let count = 0; count < 3; count++)
        expect((await send(`public/v1/submit/${path}`, `203.0.${index}.${count}`, signed)).status).not.toBe(429)
      expect(await send(`public/v1/submit/${path}`, `203.0.${index}.99`, signed)).toMatchObject(LIMITED)
    },
  )
  it('requests with the operator’s stamp do not use up the limit of its network', async () => {
    world.custody.clock.advance(MINUTE)
    const { organizationId } = world.operatorKey
    for (let count = 0; count < 30; count++)
      expect((await world.operator.getWhoami({ organizationId })).organizationId).toBe(organizationId)
  })
})

describe('finding 13: derivation', () => {
  const deep = { ...ETHEREUM, path: "m/44'/60'/0'/0/0/1/2/3" }

  it('a user has a budget of derivation steps, whatever the number of requests', async () => {
    world.custody.clock.advance(24 * 60 * MINUTE)
    const client = world.clientOf(await world.session(ann))
    const request = (walletName: string, accounts: readonly object[]) =>
      client.stampCreateWallet(
        ann.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [...accounts] as never[] }),
      )
    const create = async (name: string, accounts: readonly object[]) =>
      post(internalUrl, 'submit/create_wallet', await request(name, accounts), { 'x-forwarded-for': '192.0.2.250' })
    // A hundredth of 1,000 steps.
    expect((await create('Eight steps', [deep])).status).toBe(200)
    expect(await create('Eight more', [deep])).toMatchObject(LIMITED)
  })
  it('refuses a path of more than eight steps', async () => {
    world.custody.clock.advance(24 * 60 * MINUTE)
    const accounts = [{ ...deep, path: `${deep.path}/4` }]
    const signed = await stamp(
      ann.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Nine', accounts }),
      await world.session(ann),
    )
    const answer = await send('public/v1/submit/create_wallet', '192.0.2.251', signed)
    expect(answer).toMatchObject({ status: 400, answer: { turnkeyErrorCode: 'BAD_REQUEST' } })
  })
  it('derives off the event loop', async () => {
    const deriver = createDeriver()
    const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
    let turns = 0
    let isDone = false
    const turn = () => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    const derived = deriver.derive(mnemonic, [SOLANA, ETHEREUM, ...Array<typeof ETHEREUM>(30).fill(ETHEREUM)])
    turn()
    const [solana, ethereum] = await derived
    isDone = true
    expect(turns).toBeGreaterThan(10)
    expect(solana?.address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
    expect(ethereum?.address).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')
    await expect(deriver.derive(mnemonic, [{ ...SOLANA, path: 'm/0' }])).rejects.toMatchObject({ status: 400 })
    const stopped = deriver.derive(mnemonic, Array<typeof ETHEREUM>(32).fill(ETHEREUM))
    await deriver.stop()
    await expect(stopped).rejects.toMatchObject({ status: 503 })
  })
})
