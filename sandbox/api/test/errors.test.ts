/** Tests ERRORS.md: it is made from the code, and each server code of the specification is raised by a route. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createKeybay, definePlugin } from '@keybay/kernel'
import { createHttp } from '@keybay/kernel/http'
import {
  isKeybayError,
  isServerError,
  SERVER_ERROR_CODES,
  SERVER_ERRORS,
  type ServerErrorCode,
} from '@keybay/kernel/spec'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeErrors, routesThatRaise, SERVER_CODES } from '../src/app/error-list.js'
import { getStatus } from '../src/http/errors.js'
import { localNetwork } from '../src/index.js'
import { FRAME, getEnvelope, registeredFrame } from './backup-frame.js'
import { type Answer, type Kit, settings, sha256, startWorld, type World } from './client.js'
import { newRecordSigner, report } from './wallet-records.js'

const r1 = newRecordSigner()
const payer = Keypair.generate()
let chain: Chain
let world: World
let strict: World
beforeAll(async () => {
  chain = await startChain({ port: 0 })
  await new Connection(chain.url).requestAirdrop(payer.publicKey, 10_000_000)
  const sponsorship = { dailyLamports: 1_000_000 }
  world = await startWorld({
    environments: {
      local: { ...settings, frameOrigins: [FRAME], embeddedWallets: { recordKeys: [r1.jwk] } },
      separate: { ...settings, merge: false },
      sponsoring: { ...settings, networks: [localNetwork(chain.url)], transactions: { sponsorship } },
      unrecoverable: { ...settings, custody: { enabled: true, emailRecovery: false } },
    },
  })
  strict = await startWorld({ limitFactor: 1 })
}, 120_000)
afterAll(() => Promise.all([world.stop(), strict.stop(), chain.stop()]))
afterEach(() => vi.unstubAllGlobals())

/** Returns the error of the kit's API client for a response. */
async function getKitError({ status, body }: Pick<Answer, 'status' | 'body'>): Promise<unknown> {
  const client = definePlugin({ id: 'client', version: '0.1.0', setup: kernel => ({ api: createHttp(kernel) }) })
  const keybay = createKeybay({
    appName: 'Acme',
    baseApiUrl: world.api.internalUrl,
    logLevel: 'silent',
    plugins: [client],
  })
  vi.stubGlobal('fetch', async () => Response.json(body, { status }))
  try {
    return await keybay.client('/').then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    keybay.dispose()
  }
}

async function repeat(times: number, once: () => Promise<Answer>): Promise<Answer> {
  for (let done = 1; done < times; done++) await once()
  return once()
}

async function challenged(email: string) {
  const kit = await world.signedIn(email)
  await kit.enrolTotp()
  const body = { action: 'user.update', requestHash: sha256('x') }
  const { challengeId } = (await kit.call('/mfa/challenges', { body })).body
  return () => kit.call(`/mfa/challenges/${challengeId}`, { body: { recoveryCode: 'wrong-wrong' } })
}

async function verification(path: string, body: object) {
  const kit = world.kit()
  const { verificationId } = (await kit.call(path, { body })).body
  return () => kit.call(`${path}/verify`, { body: { verificationId, code: 'x' } })
}

function rename(kit: Kit, body: object) {
  return kit.call('/users/me', { method: 'PATCH', body })
}

/** Stores the same backup twice from a wallet frame; returns the second response. */
async function backedUpTwice(email: string, size?: number): Promise<Answer> {
  const kit = await world.signedIn(email)
  const walletId = randomUUID()
  const envelope = getEnvelope(walletId, 0, size)
  const frame = await registeredFrame(world, kit)
  await frame.keep(walletId, 0, envelope)
  return frame.keep(walletId, 0, envelope)
}

const RAISED: { readonly [Code in ServerErrorCode]?: () => Promise<Answer> } = {
  email_cannot_be_null: () => world.kit().call('/auth/email', { body: { email: null } }),
  invalid_email: () => world.kit().call('/auth/email', { body: { email: 'ann' } }),
  invalid_phone: () => world.kit().call('/auth/phone', { body: { phoneNumber: '0170' } }),
  invalid_session_public_key: () => {
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'dpop+jwt', jwk: { kty: 'RSA' } }))
    const dpop = `${header.toString('base64url')}.e30.${'A'.repeat(86)}`
    return world.kit().call('/auth/nonce', { method: 'POST', proof: false, headers: { dpop } })
  },
  email_already_exists: async () => {
    await world.signedIn('taken@example.com', 'separate')
    return (await world.signedIn('wants@example.com', 'separate')).link('taken@example.com', 'separate')
  },
  username_already_exists: async () => {
    await rename(await world.signedIn('name-a@example.com'), { username: 'taken' })
    return rename(await world.signedIn('name-b@example.com'), { username: 'Taken' })
  },
  metadata_size_exceeded: async () =>
    rename(await world.signedIn('large@example.com'), { metadata: { large: 'x'.repeat(5000) } }),
  wrong_email_verification_token: async () => (await verification('/auth/email', { email: 'wrong@example.com' }))(),
  wrong_sms_verification_token: async () => (await verification('/auth/phone', { phoneNumber: '+491700000101' }))(),
  too_many_email_verification_attempts: async () =>
    repeat(6, await verification('/auth/email', { email: 'six@example.com' })),
  too_many_sms_verification_attempts: async () =>
    repeat(6, await verification('/auth/phone', { phoneNumber: '+491700000102' })),
  too_many_verification_attempts: async () => repeat(6, await challenged('mfa-six@example.com')),
  email_recovery_disabled: async () =>
    (await world.signedIn('recover@example.com', 'unrecoverable')).call('/custody/recovery', {
      body: { targetPublicKey: `04${'a'.repeat(128)}` },
      environmentId: 'unrecoverable',
    }),
  blocked_user_cannot_transfer_wallet: async () => {
    const kit = await world.signedIn('blocked@example.com')
    const { id } = (await kit.call('/users/me')).body
    await kit.call(`/users/${id}/block`, { method: 'POST', token: world.api.operatorToken, proof: false })
    return kit.call('/auth/email/verify', { body: await kit.sendCode('/auth', 'blocked@example.com'), token: '' })
  },
  embedded_wallet_address_already_linked: async () => {
    const { id } = (await (await world.signedIn('wallet-twice@example.com')).call('/users/me')).body
    await report(world, r1.sign({ sub: id, address: 'one-address' }))
    return report(world, r1.sign({ sub: id, address: 'one-address' }))
  },
  key_share_already_backed_up: () => backedUpTwice('twice@example.com'),
  invalid_key_shares_length: () => backedUpTwice('too-large@example.com', 17_000),
  mfa_invalid_code: async () => (await challenged('mfa-one@example.com'))(),
  mfa_device_not_found: async () => {
    const kit = await world.signedIn('no-device@example.com')
    return kit.call('/mfa/devices/00000000-0000-4000-8000-000000000000', { method: 'DELETE' })
  },
  merge_accounts_confirmation: async () => {
    await world.signedIn('merge-a@example.com')
    return (await world.signedIn('merge-b@example.com')).link('merge-a@example.com')
  },
  merge_accounts_invalid: async () => {
    const kit = await world.signedIn('merge-c@example.com')
    return kit.call('/users/me/merge', { body: { mergeId: '00000000-0000-4000-8000-000000000000' } })
  },
  too_many_requests: () => repeat(6, () => strict.kit().call('/auth/email', { body: { email: 'flood@example.com' } })),
  unable_to_fetch_balances: async () => {
    chain.faults.add({ type: 'drop', method: 'getBalance' })
    const kit = await world.signedIn('sponsored@example.com', 'sponsoring')
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: PublicKey.default.toBase58() })
      .add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: PublicKey.unique(), lamports: 1_000_000 }))
      .serialize({ requireAllSignatures: false })
      .toString('base64')
    const body = { address: payer.publicKey.toBase58(), transaction, networkId: 104, sponsor: true }
    return kit.call('/solana/optimize', { body, environmentId: 'sponsoring' })
  },
  too_many_api_tokens: () =>
    repeat(11, () =>
      world.kit().call('/api-tokens', { body: { name: 'more' }, token: world.api.operatorToken, proof: false }),
    ),
}

function raisedCodes(codes: Readonly<Record<string, object>>): readonly string[] {
  return Object.keys(codes).filter(code => !('why' in Object(codes[code]) || 'by' in Object(codes[code])))
}

/** Checks that a response reaches the app as the typed error of its code, and as no other. */
async function expectTyped(code: ServerErrorCode, { status, body }: Pick<Answer, 'status' | 'body'>): Promise<void> {
  const error = await getKitError({ status, body })
  expect(isServerError(error) && error.code).toBe(code)
  expect(SERVER_ERROR_CODES.filter(other => isKeybayError(error, SERVER_ERRORS[other]))).toEqual([code])
  expect(error).toMatchObject({ message: SERVER_ERRORS[code].message, status, details: body.details })
}

describe('[S8.1] ERRORS.md', () => {
  it('the committed ERRORS.md is the one that the code makes', () => {
    const committed = readFileSync(new URL('../ERRORS.md', import.meta.url), 'utf8')
    expect(committed, 'Run `npm run build && npm run errors -w sandbox/api`.').toBe(describeErrors())
  })
  it('each code that a route declares is listed as raised, and each code listed as raised is declared', () => {
    const declared = SERVER_ERROR_CODES.filter(code => routesThatRaise(code).length > 0)
    expect(raisedCodes(SERVER_CODES).toSorted()).toEqual(declared.toSorted())
    expect(Object.keys(RAISED).toSorted()).toEqual(declared.toSorted())
  })
  it('the relay declares its codes on the routes that ERRORS.md names, and no other server code', () => {
    const document = JSON.parse(readFileSync(new URL('../../relay/openapi.json', import.meta.url), 'utf8'))
    for (const [code, facts] of Object.entries<object>(SERVER_CODES)) {
      if (!('why' in facts || 'by' in facts)) continue
      const routes = Object.entries<Record<string, object>>(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => JSON.stringify(operation).includes(`"${code}"`))
          .map(([method]) => `\`${method.toUpperCase()} ${path.replace('/sdk/{environmentId}', '')}\``),
      )
      expect('by' in facts ? facts.by : 'relay: ', code).toBe(`relay: ${routes.join(', ')}`)
    }
  })

  const cases = SERVER_ERROR_CODES.flatMap(code => {
    const raise = RAISED[code]
    return raise ? [{ code, raise }] : []
  })
  it.each(cases)('$code is raised by its route', async ({ code, raise }) => {
    const { status, body } = await raise()
    expect(body).toMatchObject({ code, message: SERVER_ERRORS[code].message })
    expect(status).toBe(getStatus(code))
    await expectTyped(code, { status, body })
  })
  it.each(SERVER_ERROR_CODES.filter(code => !RAISED[code]))(
    '%s, which no route of this API raises, reaches the app as its typed error from a server that does',
    code => expectTyped(code, { status: 400, body: { ...SERVER_ERRORS[code], details: { asked: 1 } } }),
  )
  it('an unlisted code is not a server error of the specification, and keeps its code and message', async () => {
    const error = await getKitError({ status: 418, body: { code: 'moon_phase', message: 'Not tonight.' } })
    expect(isServerError(error)).toBe(false)
    expect(isKeybayError(error)).toBe(true)
    expect(error).toMatchObject({ code: 'moon_phase', message: 'Not tonight.', status: 418 })
  })
})
