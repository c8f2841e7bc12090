/** Two instances on one real PostgreSQL, requests alternating: what one begins the other ends, once. */

import { newAuthenticator } from '@keybay/sandbox-api/testing/authenticator'
import { findPostgres, type Postgres, startPostgres } from '@keybay/sandbox-api/testing/postgres'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import type { TSignedRequest } from '@turnkey/http'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Custody, startCustody } from '../src/index.js'
import { apiClient, attest, ORIGIN, type Person, passkeyClient, RP_ID, startWorld, type World } from './world.js'

const found = findPostgres()
if ('missing' in found) console.warn(`Two instances on PostgreSQL are not tested here: ${found.missing}.`)

describe.skipIf('missing' in found)('two instances', { timeout: 120_000 }, () => {
  let database: Postgres
  let world: World
  let second: Custody
  beforeAll(async () => {
    database = await startPostgres('bin' in found ? found.bin : '')
    const kek = Buffer.alloc(32, 7).toString('base64url')
    world = await startWorld({ databaseUrl: database.url, kek })
    const { organizationId, operatorKey } = world.custody
    second = await startCustody({
      databaseUrl: database.url,
      kek,
      organizationId,
      ...(operatorKey && { apiPublicKey: operatorKey.publicKey }),
      origins: [ORIGIN],
      smtpUrl: world.inbox.smtpUrl,
    })
  }, 300_000)
  afterAll(async () => {
    await second?.stop()
    await world?.stop()
    database?.stop()
  })

  it('a wallet made at one signs at the other; a key added there counts here', async () => {
    const person = await world.person()
    const key = await world.session(person)
    for (const { internalUrl } of [second, world.custody, second]) {
      const { activity } = await apiClient(internalUrl, key).signRawPayload({
        type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
        timestampMs: world.now(),
        organizationId: person.organizationId,
        parameters: {
          signWith: person.addresses[0],
          payload: 'aa',
          encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
          hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
        },
      })
      expect(activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
    }
  })

  it('the same request at both at once is one activity, done once', async () => {
    const person = await world.person()
    const client = apiClient(world.custody.internalUrl, await world.session(person))
    for (let round = 0; round < 5; round++) {
      const signed = await client.stampCreateApiKeys({
        type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
        timestampMs: world.now(),
        organizationId: person.organizationId,
        parameters: {
          userId: person.userId,
          apiKeys: [
            {
              apiKeyName: `Round ${round}`,
              publicKey: generateP256KeyPair().publicKey,
              curveType: 'API_KEY_CURVE_P256',
            },
          ],
        },
      })
      if (!signed) throw new Error('not stamped')
      const send = async ({ internalUrl }: Custody) => {
        const response = await fetch(`${internalUrl}/public/v1/submit/create_api_keys`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            [signed.stamp.stampHeaderName]: signed.stamp.stampHeaderValue,
          },
          body: signed.body,
        })
        return response.json()
      }
      const answers = await Promise.all([world.custody, second, world.custody, second].map(send))
      expect(new Set(answers.map(({ activity }) => activity.id)).size).toBe(1)
      expect(new Set(answers.map(({ activity }) => activity.status))).toEqual(new Set(['ACTIVITY_STATUS_COMPLETED']))
    }
    const { user } = await client.getUser({ organizationId: person.organizationId, userId: person.userId })
    expect(user.apiKeys.filter(({ apiKeyName }) => apiKeyName.startsWith('Round')).length).toBe(5)
  })

  /** Sends requests of one organisation, and lets none of their activities end before all of them are under way. */
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
        const send = ({ internalUrl }: Custody, signed: TSignedRequest | undefined) =>
          fetch(`${internalUrl}/public/v1/submit/${path}`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              [signed?.stamp.stampHeaderName ?? '']: signed?.stamp.stampHeaderValue ?? '',
            },
            body: signed?.body ?? '',
          })
        answers = Promise.all(stamped.map((one, index) => send(index % 2 ? second : world.custody, one)))
        await vi.waitFor(
          async () => {
            const [row] = await outside`
              select count(*)::integer as waiting from pg_stat_activity where wait_event_type = 'Lock'`
            expect(row?.waiting).toBe(stamped.length)
          },
          { timeout: 30_000 },
        )
      })
      return (await answers)?.map(({ status }) => status).sort() ?? []
    } finally {
      await outside.end()
    }
  }

  it('a recovery key makes one passkey, however many ask at once', async () => {
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

  it('two passkeys that delete each other at once leave one of them', async () => {
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
