/** R2 misses R1's record and then gets it several times at once: one request adopts it, the others find that done. */
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forward, reply, startProxy } from './api-gate.js'
import { create, jws, ok, only, refusal, reshare, sha256, sign, text, type Wallet } from './frame/index.js'
import { newRelayKeys, startWorld, type World } from './world.js'

const { keys, recordKey, kid } = newRelayKeys()

/** Starts a proxy from R1 to R2 that drops R1's unrequested records while it is broken. */
async function startLine(portOfR2: () => number) {
  let isBroken = false
  const lost: string[] = []
  const proxy = await startProxy(async (request, response, body) => {
    if (isBroken && request.url?.endsWith('/peer/record')) {
      lost.push(body)
      return response.destroy()
    }
    return reply(response, await forward(`http://127.0.0.1:${portOfR2()}${request.url}`, request, body))
  })
  return {
    url: `${proxy.url}/api/v0`,
    /** @returns the result of `act`, and the record that R2 missed */
    async brokenWhile<T>(act: () => Promise<T>): Promise<{ readonly value: T; readonly record: string }> {
      isBroken = true
      const value = await act()
      isBroken = false
      return { value, record: lost.at(-1) ?? '' }
    },
    close: proxy.stop,
  }
}

let database: Postgres
let world: World
let line: Awaited<ReturnType<typeof startLine>>
beforeAll(async () => {
  // Use PostgreSQL for concurrent statements: PGlite has one connection.
  database = await startPostgres()
  line = await startLine(() => world.r2.port)
  world = await startWorld({ r1: { peerUrl: line.url, keys }, r2: { databaseUrl: database.url } })
}, 300_000)
afterAll(async () => {
  line?.close()
  await world?.stop()
  database?.stop()
})

/** Sends a record many times at once, as R1. */
async function sendManyTimes(record: string) {
  const claims = { aud: 'R2', bh: sha256(record), iat: Math.floor(world.r2.clock.now() / 1000) }
  const headers = {
    'content-type': 'application/json',
    'x-keybay-peer': jws(recordKey, 'keybay-peer+jwt', claims, { kid }),
  }
  const send = () => fetch(`${world.r2.internalUrl}/peer/record`, { method: 'POST', headers, body: record })
  const sent = await Promise.all(Array.from({ length: 12 }, send))
  const answers = await Promise.all(sent.map(async answer => [answer.status, await answer.json()]))
  expect(answers).toMatchObject(sent.map(() => [200, { answer: '{}' }]))
}

async function signs(wallet: Wallet) {
  return ok(await sign(only(world.r1), wallet, text('later')))
}

it('many concurrent records of a new wallet create the wallet once, and the wallet signs', async () => {
  const user = await world.user()
  const { value: wallet, record } = await line.brokenWhile(() =>
    create(only(world.r1), user, { scheme: 'THREE_OF_FIVE' }),
  )
  await sendManyTimes(record)
  await signs(wallet)
}, 120_000)

it('many concurrent records of new shares freeze nothing, and the new shares sign', async () => {
  const r1 = only(world.r1)
  const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
  const change = await reshare(r1, wallet)
  // The commit is answered once R2 has its record.
  const { value: refused, record } = await line.brokenWhile(() => change.commit())
  expect(refused).toMatchObject(refusal(503, 'peer_unavailable'))
  await sendManyTimes(record)
  await signs(change.after(wallet, await change.commit()))
}, 120_000)

it.each(['addDevice', 'refresh'] as const)(
  'R2 applies the records that it missed before the next request: %s',
  async purpose => {
    const r1 = only(world.r1)
    const user = await world.user()
    const { value: wallet } = await line.brokenWhile(() => create(r1, user, { scheme: 'THREE_OF_FIVE' }))
    const first = await reshare(r1, wallet)
    await line.brokenWhile(() => first.commit())
    const after = first.after(wallet, await first.commit())
    const next = await reshare(r1, after, purpose === 'addDevice' ? { purpose, by: 'B1' } : { purpose })
    await signs(next.after(after, await next.commit()))
  },
  120_000,
)
