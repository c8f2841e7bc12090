/** R2 misses R1's record and then gets it several times at once: one request adopts it, the others find that done. */
import { createServer } from 'node:http'
import { findPostgres, type Postgres, startPostgres } from '@keybay/sandbox-api/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { create, ok, only, reshare, sign, type Wallet } from './frame/index.js'
import { startWorld, type World } from './world.js'

/** Starts a proxy from R1 to R2 that drops R1's unrequested records while it is broken. */
async function startLine(portOfR2: () => number) {
  let isBroken = false
  const lost: string[] = []
  const line = createServer(async (request, response) => {
    const path = request.url ?? ''
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const { method = 'GET' } = request
    const body = method === 'POST' ? Buffer.concat(await request.toArray()).toString() : null
    if (isBroken && body !== null && path.endsWith('/peer/record')) {
      lost.push(body)
      return response.destroy()
    }
    const init = {
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body,
    }
    const answer = await fetch(`http://127.0.0.1:${portOfR2()}${path}`, init)
    return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>(resolve => line.listen(0, '127.0.0.1', resolve))
  const address = line.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/api/v0`,
    /** @returns the result of `act`, and the record that R2 missed */
    async brokenWhile<T>(act: () => Promise<T>): Promise<{ readonly value: T; readonly record: string }> {
      isBroken = true
      const value = await act()
      isBroken = false
      return { value, record: lost.at(-1) ?? '' }
    },
    close: () => line.close(),
  }
}

let database: Postgres | undefined
let world: World
let line: Awaited<ReturnType<typeof startLine>>
beforeAll(async () => {
  // Use PostgreSQL for concurrent statements: PGlite has one connection.
  const found = findPostgres()
  database = 'bin' in found ? await startPostgres(found.bin) : undefined
  line = await startLine(() => world.r2.port)
  world = await startWorld({ r1: { peerUrl: line.url }, ...(database && { r2: { databaseUrl: database.url } }) })
}, 300_000)
afterAll(async () => {
  line?.close()
  await world?.stop()
  database?.stop()
})

/** Sends a record many times at once; the record needs no other authority than R1's signature. */
async function tellManyTimes(record: string, { epoch }: Wallet) {
  const headers = { 'content-type': 'application/json' }
  const tell = () => fetch(`${world.r2.internalUrl}/peer/record`, { method: 'POST', headers, body: record })
  const told = await Promise.all(Array.from({ length: 12 }, tell))
  const answers = await Promise.all(told.map(async answer => [answer.status, await answer.json()]))
  expect(answers).toEqual(told.map(() => [200, { epoch }]))
}

async function signs(wallet: Wallet) {
  return ok(await sign(only(world.r1), wallet, new TextEncoder().encode('later')))
}

it('many concurrent records of a new wallet create the wallet once, and the wallet signs', async () => {
  const person = await world.person()
  const { value: wallet, record } = await line.brokenWhile(() =>
    create(only(world.r1), person, { scheme: 'THREE_OF_FIVE' }),
  )
  await tellManyTimes(record, wallet)
  await signs(wallet)
}, 120_000)

it('many concurrent records of new shares freeze nothing, and the new shares sign', async () => {
  const r1 = only(world.r1)
  const wallet = await create(r1, await world.person(), { scheme: 'THREE_OF_FIVE' })
  const change = await reshare(r1, wallet)
  const { value: answer, record } = await line.brokenWhile(() => change.commit())
  const after = change.after(wallet, answer)
  await tellManyTimes(record, after)
  await signs(after)
}, 120_000)

it.each(['addDevice', 'refresh'] as const)(
  'R2 applies the records that it missed before the next request: %s',
  async purpose => {
    const r1 = only(world.r1)
    const person = await world.person()
    const { value: wallet } = await line.brokenWhile(() => create(r1, person, { scheme: 'THREE_OF_FIVE' }))
    const first = await reshare(r1, wallet)
    const { value: answer } = await line.brokenWhile(() => first.commit())
    const after = first.after(wallet, answer)
    const next = await reshare(r1, after, purpose === 'addDevice' ? { purpose, by: 'B1' } : { purpose })
    await signs(next.after(after, await next.commit()))
  },
  120_000,
)
