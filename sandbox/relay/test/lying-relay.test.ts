/** R1 lies to R2 about a second factor, with R1's own keys over R2's public interface. R2 trusts only the API. */
import { codecs, createFrameSigner, encode } from '@keybay/waas/mpc'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  asDevice,
  asPeer,
  b64,
  create,
  getShare,
  jws,
  only,
  refusal,
  sha256,
  sign,
  text,
} from './frame/index.js'
import { newRelayKeys, startWorld } from './world.js'

const r1Keys = newRelayKeys()
const { recordKey: r1Key, kid } = r1Keys

const world = await startWorld({ r1: { keys: r1Keys.keys } })
const r1 = only(world.r1)
const peer = asPeer(world.r2, r1Keys)
const user = await world.user()
const wallet = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
const factor = await world.enrol(user)
afterAll(() => world.stop())

const hello = text('hello')
const hash = sha256(hello)
const action = 'wallet.waas.sign'

function requestHash() {
  return sha256(JSON.stringify(['signMessage', wallet.address, hash]))
}

/** Returns R2's response to a request of the frame forwarded by R1, with `mfa` as R1's claim of a second factor. */
function handOn(mfa: string | undefined): Promise<Answer> {
  const { commitment } = createFrameSigner(getShare(wallet, 'C'), ['R1', 'R2']).begin(hello)
  const { walletId, setId } = wallet
  const write = (party: 'C' | 'R1') => b64(encode(codecs.signCommitment, { ...commitment, party }))
  const body = { setId, kind: 'message', message: b64(hello), commitment: write('C') }
  const operation = asDevice(wallet, 'signMessage', { hash, signers: ['C', 'R1', 'R2'], consent: true })
  const extra = { commitment: write('R1'), record: wallet.record }
  return peer.forward({ mfa, extra })(r1, user, `/wallets/${walletId}/sign`, body, operation)
}

/** Returns a receipt from the API for a token of the user with this scope. */
async function receiptFor(scope: { action: string; requestHash: string }): Promise<string> {
  const mfaToken = await world.tokenFor(user, scope, factor)
  const { apiUrl, apiToken } = world.environments.local ?? {}
  const response = await fetch(`${apiUrl}/sdk/local/mfa/tokens/redeem`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...scope, mfaToken }),
  })
  return (await response.json()).receipt
}
/** Returns the receipt with changed claims or header, signed by R1. */
function forged(receipt: string, more: object, header = { kid }): string {
  const claims = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())
  return jws(r1Key, 'keybay-mfa+jwt', { ...claims, ...more }, header)
}

describe('a factor that the user never gave', () => {
  const refused = async (mfa: string | undefined) =>
    expect(await handOn(mfa)).toMatchObject(refusal(403, 'mfa_required', { action }))

  it('is not there', () => refused(undefined))
  it('R2 refuses R1’s claim of a second factor without a receipt', () => refused(requestHash()))
  it('R2 refuses a second factor receipt that R1 forged', async () => {
    const receipt = await receiptFor({ action, requestHash: requestHash() })
    await refused(forged(receipt, { jti: 'another one, never seen' }))
    const { kid: apiKid } = JSON.parse(Buffer.from(receipt.split('.')[0] ?? '', 'base64url').toString())
    await refused(forged(receipt, {}, { kid: apiKid }))
    await refused(`${forged(receipt, {}).split('.').slice(0, 2).join('.')}.${receipt.split('.')[2]}`)
  })
  it('R2 refuses a second factor receipt for another operation', async () => {
    await refused(await receiptFor({ action: 'wallet.waas.export', requestHash: requestHash() }))
    await refused(await receiptFor({ action, requestHash: sha256('another message') }))
  })
  it('R2 refuses the access token as a second factor receipt', () => refused(user.kit.token))
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
    const mfaToken = await world.tokenFor(user, { action, requestHash: requestHash() }, factor)
    expect((await sign(r1, wallet, hello, { mfaToken })).status).toBe(200)
    expect((await sign(r1, wallet, hello, { mfaToken })).body.code).toBe('mfa_required')
  })
})
