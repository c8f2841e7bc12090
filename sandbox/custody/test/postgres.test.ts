/** Two instances on one real PostgreSQL with alternating requests: either completes, once, what the other began. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgres, type Postgres, startPostgres } from '@keybay/sandbox-api/testing/postgres'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import type { TSignedRequest } from '@turnkey/http'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Custody, startCustody } from '../src/index.js'
import { newEnclaveKey } from './keys.js'
import { apiClient, attest, ORIGIN, type Person, passkeyClient, RP_ID, startWorld, type World } from './world.js'

const found = findPostgres()
if ('missing' in found) console.warn(`Two instances on PostgreSQL are not tested here: ${found.missing}.`)

describe.skipIf('missing' in found)('two instances', { timeout: 120_000 }, () => {
  let database: Postgres
  let world: World
  let second: Custody
  const kek = Buffer.alloc(32, 7).toString('base64url')
  const enclaveKey = newEnclaveKey()
  /** Starts another instance next to the first. */
  const startAnother = (): Promise<Custody> => {
    const { organizationId, operatorKey } = world.custody
    return startCustody({
      databaseUrl: database.url,
      kek,
      enclaveKey,
      organizationId,
      ...(operatorKey && { apiPublicKey: operatorKey.publicKey }),
      origins: [ORIGIN],
      smtpUrl: world.inbox.smtpUrl,
    })
  }
  beforeAll(async () => {
    database = await startPostgres('bin' in found ? found.bin : '')
    world = await startWorld({ databaseUrl: database.url, kek, enclaveKey })
    second = await startAnother()
  }, 300_000)
  afterAll(async () => {
    await second?.stop()
    await world?.stop()
    database?.stop()
  })

  const signature = (person: Person, payload: string) => ({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as const,
    timestampMs: world.now(),
    organizationId: person.organizationId,
    parameters: {
      signWith: person.addresses[0],
      payload,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' as const,
    },
  })
  /** Sends the same stamp any number of times, to either instance. */
  const post = (baseUrl: string, path: string, signed: TSignedRequest | undefined): Promise<Response> =>
    fetch(`${baseUrl}/public/v1/submit/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [signed?.stamp.stampHeaderName ?? '']: signed?.stamp.stampHeaderValue ?? '',
      },
      body: signed?.body ?? '',
    })

  it('a wallet or session key from one custody instance works on the other instance', async () => {
    const person = await world.person()
    const key = await world.session(person)
    for (const { internalUrl } of [second, world.custody, second]) {
      const { activity } = await apiClient(internalUrl, key).signRawPayload(signature(person, 'aa'))
      expect(activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
    }
  })

  it('the same request at two instances at once is one activity, done once', async () => {
    const person = await world.person()
    const client = apiClient(world.custody.internalUrl, await world.session(person))
    for (let round = 0; round < 5; round++) {
      const signed = await client.stampCreateWallet({
        type: 'ACTIVITY_TYPE_CREATE_WALLET',
        timestampMs: world.now(),
        organizationId: person.organizationId,
        parameters: { walletName: `Round ${round}`, accounts: [] },
      })
      const send = async ({ internalUrl }: Custody) => (await post(internalUrl, 'create_wallet', signed)).json()
      const answers = await Promise.all([world.custody, second, world.custody, second].map(send))
      expect(new Set(answers.map(({ activity }) => activity.id)).size).toBe(1)
      expect(new Set(answers.map(({ activity }) => activity.status))).toEqual(new Set(['ACTIVITY_STATUS_COMPLETED']))
    }
    const { wallets } = await client.getWallets({ organizationId: person.organizationId })
    expect(wallets.filter(({ walletName }) => walletName.startsWith('Round')).length).toBe(5)
  })

  it('a starting instance does not resume an activity that another instance is still writing', async () => {
    const person = await world.person()
    const client = apiClient(world.custody.internalUrl, await world.session(person))
    const outside = postgres(database.url, { max: 2 })
    try {
      let answer: ReturnType<typeof client.signRawPayload> | undefined
      await outside.begin(async tx => {
        // Readers of votes pass, writers block.
        await tx`lock table votes in share mode`
        answer = client.signRawPayload(signature(person, 'ab'))
        await waiting(outside, 1)
        // An instance resumes open activities before it listens.
        await (await startAnother()).stop()
      })
      expect((await answer)?.activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
    } finally {
      await outside.end()
    }
  })

  /** Waits until this many statements wait for a lock; a resuming instance may add a statement. */
  const waiting = (outside: postgres.Sql, count: number): Promise<void> =>
    vi.waitFor(
      async () => {
        const [row] = await outside`
          select count(*)::integer as waiting from pg_stat_activity where wait_event_type = 'Lock'`
        expect(row?.waiting).toBeGreaterThanOrEqual(count)
      },
      { timeout: 30_000 },
    )

  it('another instance completes the signature of a killed instance, once', async () => {
    const person = await world.person()
    const { organizationId } = person
    const client = apiClient(world.custody.internalUrl, await world.session(person))
    const signed = await client.stampSignRawPayload(signature(person, 'ac'))
    const send = (baseUrl: string) => post(baseUrl, 'sign_raw_payload', signed)
    const dataDir = mkdtempSync(join(tmpdir(), 'keybay-custody-'))
    const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/main.js', import.meta.url))], {
      env: {
        ...process.env,
        KEYBAY_DATA_DIR: dataDir,
        CUSTODY_PORT: '0',
        CUSTODY_DATABASE_URL: database.url,
        CUSTODY_KEK: kek,
        CUSTODY_ENCLAVE_KEY: enclaveKey,
        CUSTODY_ORGANIZATION_ID: world.custody.organizationId,
        CUSTODY_API_PUBLIC_KEY: world.custody.operatorKey?.publicKey,
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
      const { activities } = await client.getActivities({
        organizationId,
        filterByType: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'],
      })
      expect(activities.map(({ status }) => status)).toEqual(['ACTIVITY_STATUS_COMPLETED'])
      const repeated = await (await send(second.internalUrl)).json()
      expect(repeated.activity).toMatchObject({ id: activities[0]?.id, result: activities[0]?.result })
    } finally {
      await outside.end()
      child.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  /** Sends requests of one organisation, and completes none of their activities before all of them have started. */
  const together = async (
    person: Person,
    path: string,
    stamped: readonly (TSignedRequest | undefined)[],
  ): Promise<number[]> => {
    const outside = postgres(database.url, { max: 2 })
    try {
      let answers: Promise<Response[]> | undefined
      await outside.begin(async tx => {
        await tx`select 1 from organizations where id = ${person.organizationId} for update`
        answers = Promise.all(
          stamped.map((one, index) => post((index % 2 ? second : world.custody).internalUrl, path, one)),
        )
        await waiting(outside, stamped.length)
      })
      return (await answers)?.map(({ status }) => status).sort() ?? []
    } finally {
      await outside.end()
    }
  }

  it('a recovery key creates one passkey, also under concurrent requests', async () => {
    const person = await world.person()
    const { organizationId, userId, email } = person
    const embedded = generateP256KeyPair()
    await world.operator.initUserEmailRecovery({
      type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
      timestampMs: world.now(),
      organizationId,
      parameters: { email, targetPublicKey: embedded.publicKeyUncompressed, emailCustomization: { appName: 'Keybay' } },
    })
    const mail = await (await fetch(`${world.inbox.url}/api/messages/latest?to=${email}&wait=20000`)).json()
    const code = /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(mail.text)?.[0] ?? ''
    const privateKey = decryptCredentialBundle(code, embedded.privateKey)
    const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex')
    const client = apiClient(world.custody.internalUrl, { publicKey, privateKey })
    const stamped = () =>
      client.stampRecoverUser({
        type: 'ACTIVITY_TYPE_RECOVER_USER',
        timestampMs: world.now(),
        organizationId,
        parameters: { userId, authenticator: attest(newAuthenticator(RP_ID)) },
      })
    const signed = [await stamped(), await stamped(), await stamped()]
    expect(await together(person, 'recover_user', signed)).toEqual([200, 403, 403])
    const { user } = await world.operator.getUser({ organizationId, userId })
    expect(user.authenticators).toHaveLength(2)
  })

  it('two passkeys that delete each other at once leave one passkey', async () => {
    const person = await world.person()
    const { client, organizationId, userId } = person
    const added = newAuthenticator(RP_ID)
    await client.createAuthenticators({
      type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
      timestampMs: world.now(),
      organizationId,
      parameters: { userId, authenticators: [attest(added)] },
    })
    const { user } = await world.operator.getUser({ organizationId, userId })
    const stamped = user.authenticators.map(({ credentialId, authenticatorId }) => {
      const other = credentialId === added.id ? client : passkeyClient(world.custody.internalUrl, added)
      return other.stampDeleteAuthenticators({
        type: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
        timestampMs: world.now(),
        organizationId,
        parameters: { userId, authenticatorIds: [authenticatorId] },
      })
    })
    const [first, last] = stamped
    const answers = await together(person, 'delete_authenticators', [await first, await last])
    expect(answers).toEqual([200, 400])
    expect((await world.operator.getUser({ organizationId, userId })).user.authenticators).toHaveLength(1)
  })
})
