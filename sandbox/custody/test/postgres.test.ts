/** Two instances on one real PostgreSQL, requests alternating: what one begins the other ends, once. */
import { findPostgres, type Postgres, startPostgres } from '@keybay/sandbox-api/testing/postgres'
import { generateP256KeyPair } from '@turnkey/crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Custody, startCustody } from '../src/index.js'
import { apiClient, ORIGIN, startWorld, type World } from './world.js'

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
})
