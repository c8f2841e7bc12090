/** Two instances on one real PostgreSQL with alternating requests: either completes, once, what the other began. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import type { TSignedRequest } from '@turnkey/http'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditHash } from '../src/audit.js'
import { type Custody, startCustody } from '../src/index.js'
import { newEnclaveKey } from './keys.js'
import {
  apiClient,
  attest,
  COMPLETED,
  ORIGIN,
  PATIENT,
  post,
  RP_ID,
  SIGN,
  startWorld,
  type User,
  type World,
} from './world.js'

describe('two instances', { timeout: 120_000 }, () => {
  let database: Postgres
  let world: World
  let second: Custody
  const kek = Buffer.alloc(32, 7).toString('base64url')
  const enclaveKey = newEnclaveKey()
  /** Starts another instance next to the first. */
  const startAnother = (): Promise<Custody> => {
    const { organizationId, publicKey: apiPublicKey } = world.operatorKey
    const { smtpUrl } = world.inbox
    const keys = { kek, enclaveKey, organizationId, apiPublicKey }
    return startCustody({ mode: 'sandbox', databaseUrl: database.url, ...keys, origins: [ORIGIN], smtpUrl, ...PATIENT })
  }
  beforeAll(async () => {
    database = await startPostgres({ explain: true })
    world = await startWorld({ databaseUrl: database.url, kek, enclaveKey })
    second = await startAnother()
  }, 300_000)
  afterAll(async () => {
    await second?.stop()
    await world?.stop()
    database?.stop()
  })

  it('a wallet or session key from one custody instance works on the other instance', async () => {
    const user = await world.user()
    const key = await world.session(user)
    for (const { internalUrl } of [second, world.custody, second]) {
      const { activity } = await apiClient(internalUrl, key).signRawPayload(user.signature('aa'))
      expect(activity.status).toBe(COMPLETED)
    }
  })

  it('the same request at two instances at once is one activity, done once', async () => {
    const user = await world.user()
    const client = world.clientOf(await world.session(user))
    for (let round = 0; round < 5; round++) {
      const parameters = { walletName: `Round ${round}`, accounts: [] }
      const signed = await client.stampCreateWallet(user.request('ACTIVITY_TYPE_CREATE_WALLET', parameters))
      const send = ({ internalUrl }: Custody) => post(internalUrl, 'submit/create_wallet', signed)
      const sent = await Promise.all([world.custody, second, world.custody, second].map(send))
      const answers = sent.map(({ answer }) => answer)
      expect(new Set(answers.map(({ activity }) => activity.id)).size).toBe(1)
      expect(new Set(answers.map(({ activity }) => activity.status))).toEqual(new Set([COMPLETED]))
    }
    const { wallets } = await client.getWallets({ organizationId: user.organizationId })
    expect(wallets.filter(({ walletName }) => walletName.startsWith('Round')).length).toBe(5)
  })

  it('signatures of one user at two instances at once are each done once, in one audit chain', async () => {
    const user = await world.user()
    const { organizationId } = user
    const client = world.clientOf(await world.session(user))
    const payloads = Array.from({ length: 8 }, (_, nth) => `0${nth}`)
    const signed = await Promise.all(payloads.map(payload => client.stampSignRawPayload(user.signature(payload))))
    const instances = [world.custody, second, world.custody]
    const answers = await Promise.all(
      signed.flatMap(request =>
        instances.map(({ internalUrl }) => post(internalUrl, 'submit/sign_raw_payload', request)),
      ),
    )
    const done = answers.map(({ answer }) => answer.activity)
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([COMPLETED]))
    expect(new Set(done.map(({ id, result }) => `${id} ${JSON.stringify(result)}`)).size).toBe(payloads.length)
    const query = await client.stampGetWhoami({ organizationId })
    const { entries } = (await post(second.internalUrl, 'query/list_audit_entries', query)).answer
    const signatures: string[] = []
    let head = ''
    for (const { sequence, entry, hash } of entries) {
      head = auditHash(head, entry)
      expect({ sequence, hash }).toEqual({ sequence: entries[sequence - 1]?.sequence, hash: head })
      if (JSON.parse(entry).type === SIGN) signatures.push(JSON.parse(entry).activityId)
    }
    expect(signatures.toSorted()).toEqual([...new Set(done.map(({ id }) => id))].toSorted())
  })

  it('a starting instance does not resume an activity that another instance is still writing', async () => {
    const user = await world.user()
    const client = world.clientOf(await world.session(user))
    const outside = postgres(database.url, { max: 2 })
    try {
      let answer: ReturnType<typeof client.signRawPayload> | undefined
      await outside.begin(async tx => {
        // Readers of votes pass, writers block.
        await tx`lock table votes in share mode`
        answer = client.signRawPayload(user.signature('ab'))
        await waiting(outside, 1)
        // An instance resumes open activities before it listens.
        await (await startAnother()).stop()
      })
      expect((await answer)?.activity.status).toBe(COMPLETED)
    } finally {
      await outside.end()
    }
  })

  /** Waits until this many statements wait for a lock; a resuming instance may add a statement. */
  const waiting = (outside: postgres.Sql, count: number) => {
    const getRows = () => outside`select from pg_stat_activity where wait_event_type = 'Lock'`
    return expect.poll(async () => (await getRows()).length).toBeGreaterThanOrEqual(count)
  }

  it('another instance completes the signature of a killed instance, once', async () => {
    const user = await world.user()
    const { organizationId } = user
    const client = world.clientOf(await world.session(user))
    const signed = await client.stampSignRawPayload(user.signature('ac'))
    const send = (baseUrl: string) => post(baseUrl, 'submit/sign_raw_payload', signed)
    const dataDir = temporaryFolder()
    const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/main.js', import.meta.url)), '--sandbox'], {
      env: {
        ...process.env,
        KEYBAY_DATA_DIR: dataDir,
        CUSTODY_PORT: '0',
        CUSTODY_DATABASE_URL: database.url,
        CUSTODY_KEK: kek,
        CUSTODY_ENCLAVE_KEY: enclaveKey,
        CUSTODY_ORGANIZATION_ID: world.custody.organizationId,
        CUSTODY_API_PUBLIC_KEY: world.operatorKey.publicKey,
        SMTP_URL: world.inbox.smtpUrl,
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const outside = postgres(database.url, { max: 2 })
    try {
      const [message] = await once(child, 'message')
      await outside.begin(async tx => {
        // The activity has signed and cannot store its result.
        await tx`select 1 from organizations where id = ${organizationId} for update`
        const cut = send(String(message.url).replace('localhost', '127.0.0.1')).catch(() => 'cut')
        await waiting(outside, 1)
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
        expect(await cut).toBe('cut')
      })
      // An instance resumes open activities before it listens.
      await (await startAnother()).stop()
      const { activities } = await client.getActivities({ organizationId, filterByType: [SIGN] })
      expect(activities.map(({ status }) => status)).toEqual([COMPLETED])
      const repeated = await send(second.internalUrl)
      expect(repeated.answer.activity).toMatchObject({ id: activities[0]?.id, result: activities[0]?.result })
    } finally {
      await outside.end()
      child.kill('SIGKILL')
    }
  })

  /** Sends requests of one organization in this order, and lets none complete before all of them wait for a lock. */
  const together = async (user: User, path: string, stamped: readonly (TSignedRequest | undefined)[]) => {
    const outside = postgres(database.url, { max: 2 })
    const answers: ReturnType<typeof post>[] = []
    try {
      await outside.begin(async tx => {
        await tx`select 1 from organizations where id = ${user.organizationId} for update`
        for (const [index, signed] of stamped.entries()) {
          answers.push(post((index % 2 ? second : world.custody).internalUrl, `submit/${path}`, signed))
          await waiting(outside, answers.length)
        }
      })
      return (await Promise.all(answers)).map(({ status, answer }) => answer.turnkeyErrorCode ?? status).sort()
    } finally {
      await outside.end()
    }
  }

  it('a recovery key creates one passkey, also under concurrent requests', async () => {
    const user = await world.user()
    const { organizationId, userId } = user
    const client = await world.recovering(user)
    const stamped = () =>
      client.stampRecoverUser(user.request('ACTIVITY_TYPE_RECOVER_USER', { userId, authenticator: attest() }))
    const signed = [await stamped(), await stamped(), await stamped()]
    expect(await together(user, 'recover_user', signed)).toEqual([200, 'PERMISSION_DENIED', 'PERMISSION_DENIED'])
    const { user: after } = await world.operator.getUser({ organizationId, userId })
    expect(after.authenticators).toHaveLength(2)
  })

  it.each([
    ['counts its signatures', 1],
    ['counts nothing', 0],
  ])(
    'two passkeys that delete each other at once leave the first, and the second, which %s, is unknown',
    async (_, step) => {
      const user = await world.user()
      const { client, organizationId, userId, request } = user
      const added = newAuthenticator(RP_ID)
      added.counter = step - 1
      const parameters = { userId, authenticators: [attest(added)] }
      await client.createAuthenticators(request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', parameters))
      added.counter += step - 1
      const { authenticators } = (await world.operator.getUser({ organizationId, userId })).user
      const deletion = (isOf: (credentialId: string) => boolean) => {
        const rows = authenticators.filter(({ credentialId }) => isOf(credentialId))
        const parameters = { userId, authenticatorIds: rows.map(({ authenticatorId }) => authenticatorId) }
        return request('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', parameters)
      }
      const stamped = [
        await client.stampDeleteAuthenticators(deletion(id => id === added.id)),
        await world.clientBy(added).stampDeleteAuthenticators(deletion(id => id !== added.id)),
      ]
      expect(await together(user, 'delete_authenticators', stamped)).toEqual([200, 'PUBLIC_KEY_NOT_FOUND'])
      const { user: after } = await world.operator.getUser({ organizationId, userId })
      expect(after.authenticators.map(({ credentialId }) => credentialId)).toEqual([user.authenticator.id])
    },
  )

  it('every query of these tests that names rows has an index for them', () => {
    expect(database.listScans()).toEqual([])
  })

  it('while PostgreSQL is killed custody answers queries and activities with 503, and works once it is back', async () => {
    const user = await world.user()
    const client = world.clientOf(await world.session(user))
    const signature = await client.stampSignRawPayload(user.signature('aa'))
    const query = await client.stampGetWallets({ organizationId: user.organizationId })
    const requests = async () => [
      await post(world.custody.internalUrl, 'submit/sign_raw_payload', signature),
      await post(world.custody.internalUrl, 'query/list_wallets', query),
    ]
    database.halt()
    try {
      for (const _ of ['closed connections', 'refused connections'])
        for (const { status, answer } of await requests()) {
          expect({ status, answer }).toMatchObject({
            status: 503,
            answer: { code: 14, turnkeyErrorCode: 'UNAVAILABLE' },
          })
          expect(answer.details).toMatchObject([{ service: 'database', retryAfter: expect.any(Number) }])
        }
    } finally {
      database.resume()
    }
    await expect.poll(async () => (await fetch(`${world.custody.internalUrl}/ready`)).status).toBe(200)
    for (const { status } of await requests()) expect(status).toBe(200)
  })
})
