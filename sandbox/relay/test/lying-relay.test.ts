/** R1 lies to R2 about a second factor, with R1's own keys over R2's public interface. R2 trusts only the API. */
import { type KeyObject, sign as signBytes } from 'node:crypto'
import { codecs, createFrameSigner, encode } from '@keybay/waas/mpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrol, type Factor, tokenFor } from './factor.js'
import { type Answer, b64, create, getHeaders, getShare, only, send, sha256, sign, type Wallet } from './frame/index.js'
import { newRelayKeys } from './relay-keys.js'
import { type Person, startWorld, type World } from './world.js'

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function jws(key: KeyObject, header: object, claims: object): string {
  const signed = `${part({ alg: 'ES256', ...header })}.${part(claims)}`
  return `${signed}.${signBytes('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const { keys, recordKey: r1Key, kid } = newRelayKeys()

let world: World
let person: Person
let factor: Factor
let wallet: Wallet
beforeAll(async () => {
  world = await startWorld({ r1: { keys } })
  person = await world.person()
  wallet = await create(only(world.r1), person, { scheme: 'THREE_OF_FIVE' })
  factor = await enrol(world, person)
}, 120_000)
afterAll(() => world.stop())

const hello = new TextEncoder().encode('hello')
const hash = sha256(hello)
const action = 'wallet.waas.sign'

function requestHash() {
  return sha256(JSON.stringify(['signMessage', wallet.address, hash]))
}

/** Returns R2's response to a request of the frame forwarded by R1, with `mfa` as R1's claim of a second factor. */
function handOn(mfa: string | undefined): Promise<Answer> {
  const now = world.r2.clock.now()
  const { commitment } = createFrameSigner(getShare(wallet, 'C'), ['R1', 'R2']).begin()
  const { walletId, setId, epoch, device, address } = wallet
  const content = {
    setId,
    kind: 'message',
    message: b64(hello),
    commitment: b64(encode(codecs.signCommitment, commitment)),
  }
  const rawBody = JSON.stringify(content)
  const asked = { op: 'signMessage', hash, address, device, walletId, setId, epoch, signers: ['C', 'R1', 'R2'] }
  const { 'content-type': _, ...headers } = getHeaders(person, now, rawBody, asked)
  const extra = {
    commitment: b64(encode(codecs.signCommitment, { ...commitment, party: 'R1' })),
    record: wallet.record,
  }
  const path = `/wallets/${walletId}/sign`
  const body = JSON.stringify({ environmentId: 'local', path, rawBody, headers, mfa, extra })
  const claims = { aud: 'R2', bh: sha256(body), iat: Math.floor(now / 1000) }
  const signature = jws(r1Key, { typ: 'keybay-peer+jwt', kid }, claims)
  return send(`${world.r2.internalUrl}/peer`, { 'content-type': 'application/json', 'x-keybay-peer': signature }, body)
}

/** Returns a receipt from the API for a token of the user with this scope. */
async function receiptFor(scope: { action: string; requestHash: string }): Promise<string> {
  const mfaToken = await tokenFor(world, person, scope, factor)
  const { apiUrl, apiToken } = world.environments.local ?? {}
  const response = await fetch(`${apiUrl}/sdk/local/mfa/tokens/redeem`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...scope, mfaToken }),
  })
  return (await response.json()).receipt
}
/** Returns the receipt with changed claims, key or header. */
function forged(receipt: string, more: object, key = r1Key, header = { typ: 'keybay-mfa+jwt', kid }): string {
  return jws(key, header, { ...JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()), ...more })
}

describe('a factor that the user never gave', () => {
  const refused = async (mfa: string | undefined) =>
    expect(await handOn(mfa)).toMatchObject({ status: 403, body: { code: 'mfa_required', details: { action } } })

  it('is not there', () => refused(undefined))
  it('R2 refuses R1’s claim of a second factor without a receipt', () => refused(requestHash()))
  it('R2 refuses a second factor receipt that R1 forged', async () => {
    const receipt = await receiptFor({ action, requestHash: requestHash() })
    await refused(forged(receipt, { jti: 'another one, never seen' }))
    const { kid: apiKid } = JSON.parse(Buffer.from(receipt.split('.')[0] ?? '', 'base64url').toString())
    await refused(forged(receipt, {}, r1Key, { typ: 'keybay-mfa+jwt', kid: apiKid }))
    await refused(`${forged(receipt, {}).split('.').slice(0, 2).join('.')}.${receipt.split('.')[2]}`)
  })
  it('R2 refuses a second factor receipt for another operation', async () => {
    await refused(await receiptFor({ action: 'wallet.waas.export', requestHash: requestHash() }))
    await refused(await receiptFor({ action, requestHash: sha256('another message') }))
  })
  it('R2 refuses the access token as a second factor receipt', () => refused(person.kit.token))
})

describe('a factor that the user gave', () => {
  it('R2 accepts a second factor receipt once, as R1 does', async () => {
    const receipt = await receiptFor({ action, requestHash: requestHash() })
    expect((await handOn(receipt)).status).toBe(200)
    expect((await handOn(receipt)).body.code).toBe('mfa_required')
  })
  it('R2 refuses an expired second factor receipt', async () => {
    const receipt = await receiptFor({ action, requestHash: requestHash() })
    world.advance(3 * 60_000)
    expect((await handOn(receipt)).body.code).toBe('mfa_required')
  })
  it('a second factor token signs once when R1 is honest', async () => {
    const mfaToken = await tokenFor(world, person, { action, requestHash: requestHash() }, factor)
    expect((await sign(only(world.r1), wallet, hello, { mfaToken })).status).toBe(200)
    expect((await sign(only(world.r1), wallet, hello, { mfaToken })).body.code).toBe('mfa_required')
  })
})
