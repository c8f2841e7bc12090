/** Share release: its recipient and its conditions; what is released opens for one request only. */
import { randomUUID } from 'node:crypto'
import {
  codecs,
  combineShares,
  decode,
  exportSolanaKey,
  type KeyShare,
  openPrivate,
  type ReleaseFacts,
  releaseContext,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  type Asked,
  asDevice,
  ask,
  b64,
  changeSet,
  create,
  getShare,
  join,
  list,
  ok,
  only,
  readAudit,
  sha256,
  sign,
  text,
  unb64,
  type Wallet,
} from './frame/index.js'
import { APP, getSharedWorld } from './world.js'

const world = await getSharedWorld()
const r1 = only(world.r1)

const pair = sealingKeyPair()

interface Exported {
  readonly answer: Answer
  readonly facts: Omit<ReleaseFacts, 'party'>
}

async function exportFrom(
  wallet: Wallet,
  { consent = true, mfaToken, body = {} }: { consent?: boolean; mfaToken?: string; body?: object } = {},
): Promise<Exported> {
  const requestId = randomUUID()
  const { walletId, setId, epoch, address, user } = wallet
  const sealingKey = b64(pair.publicKey)
  const answer = await ask(
    r1,
    user,
    `/wallets/${walletId}/export`,
    { requestId, setId, sealingKey, hostOrigin: APP, ...body },
    asDevice(wallet, 'exportPrivateKey', { ...(consent && { consent }), ...(mfaToken && { mfaToken }) }),
  )
  const factor = mfaToken ? sha256(mfaToken) : ''
  const ids = { requestId, environmentId: 'local', userId: user.userId, walletId, setId, epoch, address }
  return { answer, facts: { ...ids, hostOrigin: APP, factor } }
}

function getShares({ answer, facts }: Exported): KeyShare[] {
  return ok(answer).shares.map(({ party, box }: { party: 'R1' | 'R2'; box: string }) =>
    decode(codecs.keyShare, openPrivate(pair, releaseContext({ ...facts, party }), unb64(box))),
  )
}

async function listed({ user, walletId }: Wallet) {
  return (await list(r1, user)).find(wallet => wallet.walletId === walletId)
}
const message = text('with the whole key')

describe('[S1.9] export', () => {
  it('exports the seed of an exportable wallet to the holder of the device share, and marks the wallet', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE', exportable: true })
    expect((await listed(wallet)).exported).toBe(false)
    const exported = await exportFrom(wallet)
    const sealedSeed = unb64(ok(exported.answer).sealedSeed)
    const key = exportSolanaKey([getShare(wallet, 'C'), ...getShares(exported)], sealedSeed)
    expect(bs58.encode(key.subarray(32))).toBe(wallet.address)
    const signature = ed25519.sign(message, key.subarray(0, 32))
    expect(ed25519.verify(signature, message, bs58.decode(wallet.address))).toBe(true)
    expect((await listed(wallet)).exported).toBe(true)
    // The wallet still signs.
    expect((await sign(r1, wallet, message)).status).toBe(200)
    const { entries } = await readAudit(r1, wallet)
    expect(entries.map(({ entry }: { entry: string }) => JSON.parse(entry).what)).toContain('exported')
  })

  it('exports the scalar of a 3/5 wallet whose key never was whole: both relays release their shares', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const exported = await exportFrom(wallet)
    expect(ok(exported.answer).sealedSeed).toBeNull()
    const shares = getShares(exported)
    expect(shares.map(({ party }) => party)).toEqual(['R1', 'R2'])
    const scalar = combineShares([getShare(wallet, 'C'), ...shares])
    const point = ed25519.Point.BASE.multiply(ed25519.Point.Fn.fromBytes(scalar))
    expect(bs58.encode(point.toBytes())).toBe(wallet.address)
  })

  it('an export opens only for its own request, not for another ID, page, epoch or key', async () => {
    const wallet = await create(r1, await world.user())
    const { answer, facts } = await exportFrom(wallet)
    const [{ box }] = ok(answer).shares
    const open = (changes: Partial<ReleaseFacts>, keys = pair) =>
      openPrivate(keys, releaseContext({ ...facts, party: 'R1', ...changes }), unb64(box))
    expect(open({}).length).toBeGreaterThan(32)
    for (const changes of [
      { requestId: randomUUID() },
      { hostOrigin: 'http://evil.localhost' },
      { epoch: 1 },
      { address: 'other' },
      { userId: 'other' },
      { factor: 'other' },
      { party: 'R2' as const },
    ])
      expect(() => open(changes)).toThrow('Sealed for another recipient')
    expect(() => open({}, sealingKeyPair())).toThrow('Sealed for another recipient')
  })

  it('accepts an export request only from the visible frame, for the page that the session key names', async () => {
    const wallet = await create(r1, await world.user())
    expect((await exportFrom(wallet, { consent: false })).answer.body.code).toBe('consent_required')
    const elsewhere = await exportFrom(wallet, { body: { hostOrigin: 'http://evil.localhost' } })
    expect(elsewhere.answer.body).toMatchObject({ code: 'invalid_request', details: { reason: 'hostOrigin' } })
    expect((await listed(wallet)).exported).toBe(false)
    const stranger = await world.user()
    expect((await exportFrom({ ...wallet, user: stranger })).answer.body.code).toBe('wallet_not_found')
  })

  it('exports to an additional device by its own set, and releases nothing once that set is revoked', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE', exportable: true })
    const { joined } = await join(r1, wallet)
    const exported = await exportFrom(joined)
    const sealedSeed = unb64(ok(exported.answer).sealedSeed)
    const secretKey = exportSolanaKey([getShare(joined, 'C'), ...getShares(exported)], sealedSeed)
    expect(bs58.encode(secretKey.subarray(32))).toBe(wallet.address)
    // Shares of different sets do not fit together.
    const [relayShare] = getShares(exported)
    if (!relayShare) throw new Error('no share')
    expect(() => combineShares([getShare(wallet, 'C'), relayShare])).toThrow('Shares of different sets or epochs')
    ok(await changeSet(r1, wallet, joined.setId, 'revoke', {}, true))
    expect((await exportFrom(joined)).answer.body.code).toBe('set_revoked')
  })
})

describe('[S6.3] the second factor of an export', () => {
  it('an export requires a second factor token, valid once at both relays; copying shares requires another token', async () => {
    const user = await world.user()
    const wallet = await create(r1, user, { scheme: 'THREE_OF_FIVE' })
    const factor = await world.enrol(user)
    const demanded = (await exportFrom(wallet)).answer.body
    expect(demanded).toMatchObject({ code: 'mfa_required', details: { action: 'wallet.waas.export' } })
    const mfaToken = await world.tokenFor(user, demanded.details, factor)
    // A refusal for another reason does not use up the token.
    expect((await exportFrom(wallet, { consent: false, mfaToken })).answer.body.code).toBe('consent_required')
    const exported = await exportFrom(wallet, { mfaToken })
    expect(getShares(exported).map(({ party }) => party)).toEqual(['R1', 'R2'])
    expect((await exportFrom(wallet, { mfaToken })).answer.body.code).toBe('mfa_required')

    const permit = (more: object = {}) => {
      const op = 'exportClientKeyshares'
      const { walletId, setId } = wallet
      const path = `/wallets/${walletId}/permit`
      return ask(r1, user, path, { setId, operation: op }, asDevice(wallet, op, more))
    }
    expect((await permit()).body.code).toBe('consent_required')
    const asksFor = (await permit({ consent: true })).body
    expect(asksFor.code).toBe('mfa_required')
    const another = await world.tokenFor(user, asksFor.details, factor)
    expect((await permit({ consent: true, mfaToken: another })).status).toBe(200)
  })

  it('a backup requires a second factor token, valid once, for that wallet and that action only', async () => {
    const user = await world.user()
    const [wallet, other] = [await create(r1, user), await create(r1, user)]
    const backUp = (backedUp: Wallet, more: Partial<Asked> = {}) => {
      const { walletId, setId } = backedUp
      return ask(r1, user, `/wallets/${walletId}/backup`, { setId }, asDevice(backedUp, 'backupKeyShares', more))
    }
    // A user without a second factor needs none.
    expect((await backUp(wallet)).status).toBe(200)
    const factor = await world.enrol(user)
    const { body: demand } = await backUp(wallet)
    expect(demand).toMatchObject({ code: 'mfa_required', details: { action: 'wallet.waas.export' } })
    expect((await exportFrom(wallet)).answer.body.details.requestHash).not.toBe(demand.details.requestHash)

    const mfaToken = await world.tokenFor(user, demand.details, factor)
    // Requests for another wallet's backup, or for an export of the same wallet, do not use up the token.
    expect((await backUp(other, { mfaToken })).body.code).toBe('mfa_required')
    expect((await exportFrom(wallet, { mfaToken })).answer.body.code).toBe('mfa_required')
    expect((await backUp(wallet, { mfaToken })).status).toBe(200)
    expect((await backUp(wallet, { mfaToken })).body.code).toBe('mfa_required')
    const signing = { ...demand.details, action: 'wallet.waas.sign' }
    const another = await world.tokenFor(user, signing, factor)
    expect((await backUp(wallet, { mfaToken: another })).body.code).toBe('mfa_required')
    expect((await listed(wallet)).exported).toBe(false)
  })
})
