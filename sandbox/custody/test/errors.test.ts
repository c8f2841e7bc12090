/** All errors of the custody service as Turnkey's own client reports them: code, message, details. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyRequestError } from '@turnkey/http'
import { afterAll, expect, it } from 'vitest'
import * as errors from '../src/http/errors.js'
import { attest, post, RP_ID, SOLANA, startWorld } from './world.js'

const world = await startWorld()
const ann = await world.user()
afterAll(() => world.stop())
const { client, request, organizationId, userId, walletId, signature } = ann

function addAccount(path: string) {
  const accounts = [{ ...SOLANA, path }]
  return client.createWalletAccounts(request('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', { walletId, accounts }))
}

/** Sends a query without a stamp or with an invalid stamp. */
function stamped(headers: Record<string, string>) {
  return async () => {
    const body = JSON.stringify({ organizationId })
    const signed = { body, stamp: { stampHeaderName: 'x-none', stampHeaderValue: '' }, url: '' }
    throw new TurnkeyRequestError((await post(world.custody.internalUrl, 'query/whoami', signed, headers)).answer)
  }
}

const raised: Readonly<Record<string, () => Promise<unknown>>> = {
  BAD_REQUEST: () => addAccount('m/44/1'),
  TIMESTAMP_OUT_OF_RANGE: () => client.signRawPayload({ ...signature('aa'), timestampMs: '1' }),
  ACTIVITY_TYPE_MISMATCH: () => client.request('/public/v1/submit/sign_raw_payload', ann.exportRequest()),
  ATTESTATION_INVALID: () => {
    const { attestation, ...rest } = attest()
    const forged = { ...attestation, clientDataJson: 'AAAA', attestationObject: 'AAAA' }
    const parameters = { userId, authenticators: [{ ...rest, attestation: forged }] }
    return client.createAuthenticators(request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', parameters))
  },
  POLICY_INVALID: () => {
    const policy = { policyName: 'p', effect: 'EFFECT_ALLOW', condition: 'activity.action ==', notes: '' } as const
    return client.createPolicy(request('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
  },
  INVALID_PAYLOAD: () => client.signRawPayload(signature('no hexadecimal')),
  RESOURCE_NOT_FOUND: () => client.signRawPayload(signature('aa', 'unknown')),
  NOT_FOUND: () => client.request('/public/v1/query/nothing', { organizationId }),
  RESOURCE_EXISTS: () => addAccount(SOLANA.path),
  FAILED_PRECONDITION: async () => {
    const { user } = await client.getUser({ organizationId, userId })
    const authenticatorIds = user.authenticators.map(({ authenticatorId }) => authenticatorId)
    await client.deleteAuthenticators(request('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId, authenticatorIds }))
  },
  PERMISSION_DENIED: () => world.operator.signRawPayload(signature('ab')),
  ORGANIZATION_BLOCKED: async () => {
    const other = await world.user()
    const { organizationId: operatorId } = world.custody
    const message = { organizationId: operatorId, subOrganizationId: other.organizationId, action: 'block' }
    await world.operator.request('/operator/organizations', { ...message, timestampMs: world.now() })
    await other.client.getWhoami({ organizationId: other.organizationId })
  },
  ORIGIN_NOT_ALLOWED: stamped({ origin: 'http://evil.localhost:4000' }),
  RATE_LIMITED: async () => {
    const other = await world.user()
    for (let mail = 0; mail < 6; mail++) await world.recoveryCode(other)
  },
  UNAVAILABLE: async () => {
    const mute = await startWorld({ smtpUrl: 'smtp://127.0.0.1:1' })
    try {
      await mute.recoveryCode(await mute.user())
    } finally {
      await mute.stop()
    }
  },
  STAMP_MISSING: stamped({}),
  SIGNATURE_INVALID: stamped({ 'x-stamp': 'AAAA' }),
  PUBLIC_KEY_NOT_FOUND: () => world.clientOf(generateP256KeyPair()).getWhoami({ organizationId }),
  API_KEY_EXPIRED: async () => {
    const session = await world.session(ann, 60)
    world.custody.clock.advance(60_000)
    await world.clientOf(session).getWhoami({ organizationId })
  },
  AUTHENTICATOR_COUNTER: async () => {
    const { counter } = ann.authenticator
    ann.authenticator.counter = counter - 1
    try {
      await client.getWhoami({ organizationId })
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
  const stranger = world.clientBy(newAuthenticator(RP_ID))
  await expect(stranger.getWhoami({ organizationId })).rejects.toMatchObject({
    details: [{ turnkeyErrorCode: 'PUBLIC_KEY_NOT_FOUND' }],
  })
})
