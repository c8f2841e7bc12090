/** Tests two instances on one real PostgreSQL: an operation begun on one ends once on the other. */
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { calculateJwkThumbprint } from 'jose'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localNetwork } from '../src/index.js'
import { createFrame, FRAME, getStatement } from './backup-frame.js'
import { type Answer, createKit, getStatuses, type Kit, newKey, refused, startWorld, type World } from './client.js'
import { createServiceKeys } from './service-keys.js'
import { actions, socialSettings } from './social-world.js'
import { getClaims, newRecordSigner, report } from './wallet-records.js'

const r1 = newRecordSigner()
const keys = JSON.stringify(createServiceKeys())

describe('two instances', () => {
  let database: Postgres
  let worlds: [World, World]
  let identity: Identity
  let chain: Chain
  beforeAll(async () => {
    database = await startPostgres({ explain: true })
    const publicUrl = 'http://api.app.localhost:4100/api/v0'
    identity = await startIdentity()
    chain = await startChain()
    const social = { identity: { publicUrl: identity.url, internalUrl: identity.internalUrl } }
    const transactions = { sponsorship: { dailyLamports: 50_000 } }
    const embeddedWallets = { recordKeys: [r1.jwk] }
    const local = {
      ...socialSettings,
      frameOrigins: [FRAME],
      networks: [localNetwork(chain.url)],
      transactions,
      embeddedWallets,
    }
    const options = { databaseUrl: database.url, keys, publicUrl, social, environments: { local } }
    // Start both at the same time: both try to migrate.
    worlds = await Promise.all([startWorld(options), startWorld({ ...options })])
  }, 300_000)
  afterAll(async () => {
    await Promise.all((worlds ?? []).map(world => world.stop()))
    await identity?.stop()
    await chain?.stop()
    database?.stop()
  })

  /** Creates one client per instance, with the same session key. */
  const pair = (): [Kit, Kit] => {
    const key = newKey()
    return [createKit(worlds[0], worlds[0].api, key), createKit(worlds[1], worlds[1].api, key)]
  }
  const signedIn = async (email: string): Promise<[Kit, Kit]> => {
    const [one, two] = pair()
    const answer = await two.call('/auth/email/verify', { body: await one.sendCode('/auth', email) })
    for (const kit of [one, two]) kit.keep(answer)
    return [one, two]
  }
  /** Makes calls at once, on one instance after the other. */
  const alternate = (kits: readonly Kit[], times: number, call: (kit: Kit) => Promise<Answer>) =>
    Promise.all(Array.from({ length: times }, (_, index) => kits[index % 2]).flatMap(kit => (kit ? [call(kit)] : [])))
  const countStatus = (answers: readonly Answer[], expected: number) =>
    answers.filter(({ status }) => status === expected).length
  it('a code sent by one instance is accepted by the other instance, once', async () => {
    const [one, two] = pair()
    const body = await one.sendCode('/auth', 'ann@example.com')
    expect((await two.call('/auth/email/verify', { body })).status).toBe(200)
    for (const kit of [one, two]) expect((await kit.call('/auth/email/verify', { body })).status).toBe(401)
  })
  it('simultaneous sign-ins with one code on two instances succeed once', async () => {
    for (let round = 0; round < 5; round++) {
      const kits = pair()
      const body = await kits[0].sendCode('/auth', `race${round}@example.com`)
      expect(getStatuses(await alternate(kits, 2, kit => kit.call('/auth/email/verify', { body })))).toEqual([200, 401])
    }
  })
  it('a request and a statement for backups serve once, whichever instances receive them', async () => {
    const [one, two] = await signedIn('frames@example.com')
    const [frame, thief] = [createFrame(worlds[0], one), createFrame(worlds[0], one)]
    for (const { register } of [frame, thief]) expect((await register()).status).toBe(204)
    const path = `/backups/${crypto.randomUUID()}`
    // Both instances have this name, so that each accepts a proof for the other.
    const service = 'http://api.app.localhost:4100'
    for (let round = 0; round < 5; round++) {
      const session = getStatement(worlds[0], one)
      const request = { proof: false, headers: frame.headers(path, { session, service }) } as const
      expect(getStatuses(await alternate([one, two], 4, kit => kit.call(path, request)))).toEqual([200, 401, 401, 401])
      const stolen = { proof: false, headers: thief.headers(path, { session, service }) } as const
      await refused(two.call(path, stolen), 401, 'invalid_proof', { reason: 'replay' })
      const race = getStatement(worlds[0], one)
      const answers = await Promise.all([
        one.call(path, { proof: false, headers: frame.headers(path, { session: race, service }) }),
        two.call(path, { proof: false, headers: thief.headers(path, { session: race, service }) }),
      ])
      expect(getStatuses(answers)).toEqual([200, 401])
    }
  })
  it('two instances count the five tries of a code together', async () => {
    const kits = pair()
    const { verificationId } = await kits[0].sendCode('/auth', 'tries@example.com')
    const body = { verificationId, code: 'x' }
    const answers = await alternate(kits, 12, kit => kit.call('/auth/email/verify', { body }))
    expect([countStatus(answers, 401), countStatus(answers, 429)]).toEqual([5, 7])
  })
  it('tokens of one instance work at the other, and a refresh token used at both at once is renewed once', async () => {
    const [one, two] = await signedIn('refresh@example.com')
    expect((await one.call('/users/me')).status).toBe(200)
    const body = { refreshToken: one.refresh }
    const answers = await alternate([one, two], 4, kit => kit.call('/auth/refresh', { body, token: '' }))
    expect(getStatuses(answers)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(answer => answer.body.refreshToken)).size).toBe(1)
    for (const { api } of worlds) api.clock.advance(10_001)
    expect((await two.call('/auth/refresh', { body, token: '' })).status).toBe(401)
    expect((await one.call('/users/me')).status).toBe(401)
    for (const { api } of worlds) api.clock.reset()
  })
  it('a session that one instance ends is ended at the other', async () => {
    const [one, two] = await signedIn('end@example.com')
    expect((await one.call('/auth/sign-out', { method: 'POST' })).status).toBe(204)
    expect((await two.call('/users/me')).status).toBe(401)
  })
  it('a proof, a passkey challenge and an MFA token work once across two instances', async () => {
    const kits = await signedIn('once@example.com')
    const [one, two] = kits
    const authenticator = newAuthenticator()
    const made = (await one.call('/users/me/passkeys/options', { method: 'POST' })).body
    const passkey = { challengeId: made.challengeId, response: authenticator.create(made.options) }
    expect((await two.call('/users/me/passkeys', { body: passkey })).status).toBe(201)
    expect((await one.call('/users/me/passkeys', { body: passkey })).status).toBe(401)
    const proof = { jti: 'one-proof-for-two-instances' }
    const path = '/users/me'
    const change = { method: 'PATCH', body: { metadata: { a: 1 } } }
    expect(getStatuses(await alternate(kits, 2, kit => kit.call(path, { ...change, proof })))).toEqual([200, 401])
    const { device, challenge } = (await one.call('/mfa/devices', { body: { method: 'passkey' } })).body
    const confirm = { challengeId: challenge.challengeId, passkey: authenticator.get(challenge.options) }
    expect((await two.call(`/mfa/devices/${device.id}/confirm`, { body: confirm })).status).toBe(200)
    const { action, requestHash } = (await one.call(path, change)).body.details
    const begun = (await two.call('/mfa/challenges', { body: { action, requestHash, deviceId: device.id } })).body
    const answer = { body: { passkey: authenticator.get(begun.options) } }
    const { mfaToken } = (await one.call(`/mfa/challenges/${begun.challengeId}`, answer)).body
    const headers = { 'x-keybay-mfa-token': mfaToken }
    expect(getStatuses(await alternate(kits, 2, kit => kit.call(path, { ...change, headers })))).toEqual([200, 403])
  })
  it('[S7.1] two instances count the sponsor’s daily spending together, to the lamport', async () => {
    const kits = await signedIn('sponsored@example.com')
    const alice = Keypair.generate()
    const connection = new Connection(chain.url, 'confirmed')
    await connection.requestAirdrop(alice.publicKey, 1e9)
    const ask = async () => {
      const { blockhash: recentBlockhash } = await connection.getLatestBlockhash()
      return alternate(kits, 12, kit => {
        const transfer = { fromPubkey: alice.publicKey, toPubkey: Keypair.generate().publicKey, lamports: 1e6 }
        const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash })
          .add(SystemProgram.transfer(transfer))
          .serialize({ requireAllSignatures: false, verifySignatures: false })
          .toString('base64')
        const body = { address: alice.publicKey.toBase58(), transaction, sponsor: true }
        return kit.call('/solana/optimize', { body })
      })
    }
    const answers = await ask()
    // Two signatures per transaction.
    expect(countStatus(answers, 200)).toBe(5)
    expect(new Set(answers.flatMap(({ body }) => body.details?.reason ?? []))).toEqual(new Set(['daily_limit']))
    const token = await worlds[0].apiToken()
    for (const kit of kits)
      expect((await kit.call('/solana/sponsor', { token })).body).toMatchObject({
        spentToday: 50_000,
        dailyLamports: 50_000,
      })
    // No transaction landed: the first instance gives back those that can no longer land, once.
    chain.advanceSlots(400)
    expect(countStatus(await ask(), 200)).toBe(5)
    expect((await kits[0].call('/solana/sponsor', { token })).body).toMatchObject({ spentToday: 50_000 })
  })
  it('two instances count rate limits together', async () => {
    const strict = await Promise.all([0, 1].map(() => startWorld({ databaseUrl: database.url, keys, limitFactor: 1 })))
    const kits = strict.map(world => world.kit())
    const body = { email: 'flood@example.com' }
    expect(countStatus(await alternate(kits, 8, kit => kit.call('/auth/email', { body })), 202)).toBe(5)
    await Promise.all(strict.map(world => world.stop()))
  })
  it('confirms only one of two first second factors begun at once on two instances', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = await signedIn(`first${round}@example.com`)
      const begun = await Promise.all([one, two].map(kit => kit.call('/mfa/devices', { body: { method: 'totp' } })))
      const confirmed = await Promise.all(
        begun.map(({ body }, index) => {
          const code = totpAt(body.totp.secret, worlds[0].api.clock.now())
          const path = `/mfa/devices/${body.device.id}/confirm`
          return [two, one][index]?.call(path, { body: { challengeId: body.challenge.challengeId, code } })
        }),
      )
      expect(confirmed.filter(answer => answer?.status === 200)).toHaveLength(1)
    }
  })
  it('deleting a user during other requests never causes a 5xx', async () => {
    for (let round = 0; round < 6; round++) {
      const [one, two] = await signedIn(`going${round}@example.com`)
      const path = '/users/me/credentials'
      const link = await two.sendCode(path, `more${round}@example.com`)
      const [, stranger] = pair()
      const signIn = await stranger.sendCode('/auth', `going${round}@example.com`)
      const answers = await Promise.all([
        one.call('/users/me', { method: 'DELETE' }),
        two.call(`${path}/email/verify`, { body: link }),
        two.call('/mfa/devices', { body: { method: 'totp' } }),
        one.call('/users/me/passkeys/options', { method: 'POST' }),
        two.call('/users/me', { method: 'PATCH', body: { username: `going${round}` } }),
        stranger.call('/auth/email/verify', { body: signIn }),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }
  })
  it('a failed query writes no address and no key hash to the log', async () => {
    const [kit] = pair()
    const sql = postgres(database.url)
    await sql`alter table ceremonies rename to gone`
    worlds[0].logs.length = 0
    const answer = await kit.call('/auth/email', { body: { email: 'unlogged@example.com' } })
    await sql`alter table gone rename to ceremonies`
    await sql.end()
    await refused(answer, 500, 'internal_error')
    const written = JSON.stringify(worlds[0].logs)
    expect(written).toContain('42P01')
    expect(written).toContain('code-statements.ts')
    expect(written).not.toContain('unlogged@example.com')
    expect(written).not.toContain(await calculateJwkThumbprint(kit.publicKey))
  })
  it('a social flow begun on one instance ends once on the other, and a provider’s response works only once', async () => {
    const { begin, end, go } = actions(identity, [])
    for (const provider of ['google', 'farcaster', 'github', 'telegram']) {
      const [one, two] = pair()
      const attempt = await begin(one, provider)
      const { params } = await go(attempt)
      const answers = await alternate([two, one], 3, kit => end(kit, attempt, params))
      expect(getStatuses(answers), provider).toEqual([200, 400, 400])
      const again = await begin(two, provider)
      const replay = await end(one, again, { ...params, state: again.stateHash })
      expect(replay.status, provider).toBeGreaterThanOrEqual(400)
    }
  })
  it('a merge and a new wallet on different instances at once leave the wallet with one owner', async () => {
    for (let round = 0; round < 10; round++) {
      const [ann] = await signedIn(`owner-a${round}@example.com`)
      const [, bob] = await signedIn(`owner-b${round}@example.com`)
      const { id } = (await bob.call('/users/me')).body
      const { mergeId } = (await ann.link(`owner-b${round}@example.com`)).body.details
      const record = r1.sign({ sub: id, address: `address-${round}` })
      const [merged, created] = await Promise.all([
        ann.call('/users/me/merge', { body: { mergeId } }),
        report(worlds[1], record),
      ])
      expect([merged.status, created.status], JSON.stringify([merged.body, created.body])).toEqual(
        merged.status === 200 ? [200, 400] : [409, 204],
      )
      if (created.status === 204) expect((await bob.call('/users/me')).body.credentials).toHaveLength(2)
    }
  })

  /** Cancels the query that waits for this user's row, in the middle of a transaction. */
  async function stopWhileWaiting(userId: string, act: () => Promise<unknown>): Promise<unknown> {
    const sql = postgres(database.url, { max: 2 })
    try {
      return await sql.begin(async tx => {
        await tx`select id from users where id = ${userId} for update`
        const acting = act()
        for (;;) {
          const waiting = await sql`select pid from pg_stat_activity where wait_event_type = 'Lock'`
          for (const { pid } of waiting) await sql`select pg_cancel_backend(${pid})`
          if (waiting.length > 0) break
        }
        return acting
      })
    } finally {
      await sql.end()
    }
  }
  it('a merge, deletion or report that fails half-way leaves every user intact and works on the next try', async () => {
    const [ann] = await signedIn('killed-a@example.com')
    const [bob] = await signedIn('killed-b@example.com')
    const { id } = (await bob.call('/users/me')).body
    const beginMerge = async () => {
      const { mergeId } = (await ann.link('killed-b@example.com')).body.details
      return () => ann.call('/users/me/merge', { body: { mergeId } })
    }
    const failed = { status: 503, body: { code: 'service_unavailable' } }
    expect(await stopWhileWaiting(id, await beginMerge())).toMatchObject(failed)
    expect(await stopWhileWaiting(id, () => bob.call('/users/me', { method: 'DELETE' }))).toMatchObject(failed)
    const record = r1.sign({ sub: id, address: 'address-killed' })
    expect(await stopWhileWaiting(id, () => report(worlds[0], record))).toMatchObject(failed)
    for (const kit of [ann, bob])
      expect((await kit.call('/users/me')).body).toMatchObject({ deletesAt: null, credentials: [{ method: 'email' }] })

    expect((await report(worlds[1], record)).status).toBe(204)
    expect((await bob.call('/users/me')).body.credentials).toHaveLength(2)
    expect((await report(worlds[0], r1.sign({ ...getClaims(record), status: 'withdrawn' }))).status).toBe(204)
    expect((await (await beginMerge())()).status).toBe(200)
  })
  /** Changes a user by a statement while a sign-in of the user waits for it. @returns the answer to the sign-in */
  async function signInDuring(email: string, statement: string): Promise<Answer> {
    const [kit] = await signedIn(email)
    const { id } = (await kit.call('/users/me')).body
    const [one, two] = pair()
    const body = await one.sendCode('/auth', email)
    const sql = postgres(database.url, { max: 2 })
    try {
      const signIn = await sql.begin(async tx => {
        await tx.unsafe(statement, [id])
        const answer = two.call('/auth/email/verify', { body })
        const waits = () => sql`select from pg_stat_activity where wait_event_type = 'Lock'`
        while ((await waits()).length === 0);
        return { answer }
      })
      return await signIn.answer
    } finally {
      await sql.end()
    }
  }
  it('a sign-in that meets a block begins no session, and one that meets a removal makes a new user', async () => {
    const block = 'update users set blocked_at = 1 where id = $1'
    await refused(signInDuring('met-a@example.com', block), 403, 'blocked_user_cannot_transfer_wallet')
    const removed = await signInDuring('met-b@example.com', 'delete from users where id = $1')
    expect(removed).toMatchObject({ status: 200, body: { isNewUser: true, user: { email: 'met-b@example.com' } } })
    const sql = postgres(database.url)
    const [{ count } = {}] = await sql`
      select count(*)::int from sessions join credentials using (user_id) where subject = 'met-a@example.com'`
    await sql.end()
    // The one that was begun before the block.
    expect(count).toBe(1)
  })
  it('two sweeps remove a user once, and a restore at that moment keeps the user intact', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `swept${round}@example.com`
      const [kit] = await signedIn(email)
      await kit.call('/users/me', { method: 'DELETE' })
      for (const { api } of worlds) api.clock.advance(30 * 86_400_000)
      const [again] = await signedIn(email)
      for (const { api } of worlds) api.clock.advance(60_000)
      const [restoreResponse] = await Promise.all([
        again.call('/users/me/restore', { method: 'POST' }),
        ...worlds.map(({ api }) => api.sweep()),
      ])
      expect((await again.call('/users/me')).status).toBe(restoreResponse.status === 200 ? 200 : 401)
      for (const { api } of worlds) api.clock.reset()
    }
  })
  it('the database contains no readable token, code or secret', async () => {
    const [kit] = await signedIn('secrets@example.com')
    const { totp } = (await kit.call('/mfa/devices', { body: { method: 'totp' } })).body
    const sql = postgres(database.url)
    const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`
    const all = await Promise.all(tables.map(({ table_name }) => sql`select * from ${sql(table_name)}`))
    await sql.end()
    const text = JSON.stringify(all)
    expect(text).toContain('secrets@example.com')
    const code = await worlds[0].codeTo('secrets@example.com')
    for (const secret of [kit.token ?? '', kit.refresh ?? '', totp.secret]) expect(text).not.toContain(secret)
    expect(text).not.toMatch(new RegExp(`"${code}"`))
  })
  it('every query of these tests that names rows has an index for them', () => {
    expect(database.listScans()).toEqual([])
  })

  it('while PostgreSQL is killed the API answers every request with 503 and Retry-After, and works once it is back', async () => {
    const [kit, other] = await signedIn('away@example.com')
    const guest = worlds[0].kit()
    const code = await guest.sendCode('/auth', 'late@example.com')
    const requests = () =>
      Promise.all([
        kit.call('/users/me'),
        other.call('/users/me', { method: 'PATCH', body: { username: 'away' } }),
        kit.call('/auth/refresh', { body: { refreshToken: kit.refresh } }),
        guest.call('/auth/email/verify', { body: code }),
        worlds[1].kit().call('/auth/email', { body: { email: 'new@example.com' } }),
      ])
    database.halt()
    const details = { service: 'database', retryAfter: expect.any(Number) }
    try {
      for (const _ of ['closed connections', 'refused connections'])
        for (const { status, body, headers } of await requests()) {
          expect({ status, body }).toMatchObject({ status: 503, body: { code: 'service_unavailable', details } })
          expect(headers.get('retry-after')).toMatch(/^[1-9]$/)
        }
    } finally {
      database.resume()
    }
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${worlds[0].api.port}/ready`)).status).toBe(200)
    expect(getStatuses(await requests())).toEqual([200, 200, 200, 200, 202])
  })
})
