/** All errors of the custody service as Turnkey's own client reports them: code, message, details. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyRequestError } from '@turnkey/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as errors from '../src/http/errors.js'
import { apiClient, type Person, passkeyClient, RP_ID, SOLANA, startWorld, type World } from './world.js'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.person()
}, 120_000)
afterAll(() => world.stop())

function request<T extends string, P>(type: T, parameters: P, { organizationId } = ann) {
  return { type, timestampMs: world.now(), organizationId, parameters }
}

function raw(payload: string, signWith = ann.addresses[0]) {
  return {
    signWith,
    payload,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' as const,
  }
}

function sign(payload: string, signWith?: string) {
  return ann.client.signRawPayload(request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', raw(payload, signWith)))
}

function accounts(path: string) {
  return ann.client.createWalletAccounts(
    request('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', { walletId: ann.walletId, accounts: [{ ...SOLANA, path }] }),
  )
}
const whoami = { organizationId: '' }

function begin(where: World, { organizationId, email }: Person) {
  return where.operator.initUserEmailRecovery({
    type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
    timestampMs: where.now(),
    organizationId,
    parameters: {
      email,
      targetPublicKey: generateP256KeyPair().publicKeyUncompressed,
      emailCustomization: { appName: 'Keybay' },
    },
  })
}
/** Sends requests over Turnkey's fetch, without a stamp or with an invalid stamp. */
function stamped(headers: Record<string, string>) {
  return async () => {
    const response = await fetch(`${world.custody.internalUrl}/public/v1/query/whoami`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...whoami, organizationId: ann.organizationId }),
    })
    throw new TurnkeyRequestError(await response.json())
  }
}

const raised: Readonly<Record<string, () => Promise<unknown>>> = {
  BAD_REQUEST: () => accounts('m/44/1'),
  TIMESTAMP_OUT_OF_RANGE: () =>
    ann.client.signRawPayload({ ...request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', raw('aa')), timestampMs: '1' }),
  ACTIVITY_TYPE_MISMATCH: () =>
    ann.client.request('/public/v1/submit/sign_raw_payload', request('ACTIVITY_TYPE_EXPORT_WALLET', raw('aa'))),
  ATTESTATION_INVALID: () =>
    ann.client.createAuthenticators(
      request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
        userId: ann.userId,
        authenticators: [
          {
            authenticatorName: 'None',
            challenge: 'AAAA',
            attestation: { credentialId: 'AAAA', clientDataJson: 'AAAA', attestationObject: 'AAAA', transports: [] },
          },
        ],
      }),
    ),
  POLICY_INVALID: () =>
    ann.client.createPolicy(
      request('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'p',
        effect: 'EFFECT_ALLOW' as const,
        condition: 'activity.action ==',
        notes: '',
      }),
    ),
  INVALID_PAYLOAD: () => sign('no hexadecimal'),
  RESOURCE_NOT_FOUND: () => sign('aa', 'nobody'),
  NOT_FOUND: () => ann.client.request('/public/v1/query/nothing', { organizationId: ann.organizationId }),
  RESOURCE_EXISTS: () => accounts(SOLANA.path),
  FAILED_PRECONDITION: async () => {
    const { user } = await ann.client.getUser({ organizationId: ann.organizationId, userId: ann.userId })
    const authenticatorIds = user.authenticators.map(({ authenticatorId }) => authenticatorId)
    await ann.client.deleteAuthenticators(
      request('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId: ann.userId, authenticatorIds }),
    )
  },
  PERMISSION_DENIED: () => world.operator.signRawPayload(request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', raw('ab'))),
  ORIGIN_NOT_ALLOWED: stamped({ origin: 'http://evil.localhost:4000' }),
  RATE_LIMITED: async () => {
    const other = await world.person()
    for (let mail = 0; mail < 6; mail++) await begin(world, other)
  },
  UNAVAILABLE: async () => {
    const mute = await startWorld({ smtpUrl: 'smtp://127.0.0.1:1' })
    try {
      await begin(mute, await mute.person())
    } finally {
      await mute.stop()
    }
  },
  STAMP_MISSING: stamped({}),
  SIGNATURE_INVALID: stamped({ 'x-stamp': 'AAAA' }),
  PUBLIC_KEY_NOT_FOUND: () =>
    apiClient(world.custody.internalUrl, generateP256KeyPair()).getWhoami({ organizationId: ann.organizationId }),
  API_KEY_EXPIRED: async () => {
    const session = await world.session(ann, 60)
    world.custody.clock.advance(60_000)
    await apiClient(world.custody.internalUrl, session).getWhoami({ organizationId: ann.organizationId })
  },
  AUTHENTICATOR_COUNTER: async () => {
    const { counter } = ann.authenticator
    ann.authenticator.counter = counter - 1
    try {
      await ann.client.getWhoami({ organizationId: ann.organizationId })
    } finally {
      ann.authenticator.counter = counter + 10
    }
  },
}
const specs = Object.values(errors).flatMap(error => (typeof error === 'object' && 'message' in error ? [error] : []))

it('the tests raise every custody error except INTERNAL, which no client can cause', () => {
  expect(specs.map(({ name }) => name).filter(name => !(name in raised))).toEqual(['INTERNAL'])
})

it.each(specs.filter(({ name }) => name in raised))('raises $name with code $code', async ({ name, code, message }) => {
  const error = await raised[name]?.().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(TurnkeyRequestError)
  expect(error).toMatchObject({
    code,
    message: expect.stringContaining(message),
    details: [expect.objectContaining({ turnkeyErrorCode: name })],
  })
})

it('an unknown passkey gets the same error as an unknown key', async () => {
  const stranger = passkeyClient(world.custody.internalUrl, newAuthenticator(RP_ID))
  await expect(stranger.getWhoami({ organizationId: ann.organizationId })).rejects.toMatchObject({
    details: [{ turnkeyErrorCode: 'PUBLIC_KEY_NOT_FOUND' }],
  })
})
