/** A server that signs for a user without the user, under its policy and until it is revoked. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDelegate, createDelegateKeys, type DelegatedWallet, listingOf } from '@keybay/waas/delegate'
import { ed25519 } from '@noble/curves/ed25519.js'
import { Keypair, Message, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { ceremonies, shareSets } from '../src/db/schema.js'
import type { EnvironmentSettings } from '../src/environments.js'
import {
  ask,
  askAlone,
  changeSet,
  create,
  type DelegateServer,
  delegateTo,
  delegationHash,
  getShare,
  list,
  newDelegate,
  ok,
  only,
  operationHash,
  policyJson,
  refusal,
  sign,
  text,
  unb64,
  type Wallet,
} from './frame/index.js'
import { newKey, newRelayKeys, startWorld } from './world.js'

const server = newDelegate()
const keys = await createDelegateKeys()
const r1Keys = newRelayKeys()
const unlisted = newDelegate('Unlisted')
/** Another delegate on the operator's list, such as an attacker's. */
const other = newDelegate('Lottery')
const SOL = 1_000_000_000
const friend = Keypair.generate().publicKey
/** Allows one payment a day, to one address. */
const policy = {
  dailyLimit: String(SOL),
  transactionLimit: String(SOL / 2),
  programs: [{ programId: SystemProgram.programId.toBase58(), instructions: ['02000000'] }],
  destinations: [friend.toBase58()],
  messages: false,
}

const world = await startWorld({
  r1: { keys: r1Keys.keys },
  environment: { delegates: [server.listed, other.listed, listingOf('Scheduler', keys)] },
})
const r1 = only(world.r1)
afterAll(() => world.stop())

/** Starts another relay that R2 takes for R1. */
function anotherR1(folder: string, changed: Partial<EnvironmentSettings>) {
  const environments = Object.entries(world.environments).map(([id, settings]) => [id, { ...settings, ...changed }])
  const dataDir = join(folder, 'relay')
  return world.startR1({ environments: Object.fromEntries(environments), dataDir, keys: r1Keys.keys })
}

function payment(wallet: Wallet, lamports: number, to = friend): Uint8Array {
  const payerKey = new PublicKey(wallet.address)
  const instructions = [SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: to, lamports })]
  const recentBlockhash = Keypair.generate().publicKey.toBase58()
  return new Uint8Array(
    new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToLegacyMessage().serialize(),
  )
}

function pay(wallet: Wallet, lamports: number, to = friend, more = {}) {
  return sign(r1, wallet, payment(wallet, lamports, to), { kind: 'transaction', by: askAlone, ...more })
}

async function delegated(scheme: Wallet['scheme'] = 'TWO_OF_THREE', to: DelegateServer = server) {
  const wallet = await create(r1, await world.user(), { scheme })
  const { accept } = await delegateTo(r1, wallet, to, { policy })
  const { answer, own } = await accept()
  return { wallet, answer, own }
}

describe.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)('a delegate of %s', scheme => {
  it('[S10.1] a delegate signs alone what its policy allows, and nothing else', async () => {
    const { wallet, answer, own } = await delegated(scheme)
    expect(answer).toMatchObject({
      status: 200,
      body: { wallet: { sets: [{ kind: 'primary' }, { kind: 'delegate', name: 'Salaries' }] } },
    })
    expect((await pay(own, SOL / 4)).signature).toHaveLength(64)
    expect((await pay(own, SOL)).body).toMatchObject({ code: 'policy_refused' })
    expect((await pay(own, SOL / 4, Keypair.generate().publicKey)).body).toMatchObject({ code: 'policy_refused' })
    const message = text('sign in')
    expect((await sign(r1, own, message, { by: askAlone })).body.code).toBe('policy_refused')
    // The user still signs as before.
    expect((await sign(r1, wallet, message)).status).toBe(200)
  })
})

describe('the kit of a delegate', () => {
  it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'the delegate kit takes the share of %s and signs transactions that an independent library verifies',
    async scheme => {
      const wallet = await create(r1, await world.user(), { scheme })
      const listed = listingOf('Scheduler', keys)
      const pair = { publicKey: unb64(listed.sealingKey), secretKey: new Uint8Array(32) }
      const dealt = await delegateTo(r1, wallet, { ...server, pair, listed }, { policy })
      const at = { environmentId: 'local', relayUrl: world.r1.internalUrl, now: () => world.r1.clock.now() }
      const delegate = createDelegate({ keys, ...at })
      const storedWallets: DelegatedWallet[] = []
      const keep = async (delegatedWallet: DelegatedWallet) => void storedWallets.push(delegatedWallet)
      await expect(delegate.accept(dealt.sealedShare().slice(0, -9), keep)).rejects.toMatchObject({
        code: 'delegate_bundle_unreadable',
      })
      const stranger = createDelegate({ keys: await createDelegateKeys(), ...at })
      await expect(stranger.accept(dealt.sealedShare(), keep)).rejects.toMatchObject({
        code: expect.stringMatching(/^mpc_/),
      })
      expect(storedWallets).toEqual([])
      const acceptedWallet = await delegate.accept(dealt.sealedShare(), keep)
      expect(storedWallets).toEqual([acceptedWallet])
      await expect(delegate.accept(dealt.sealedShare(), keep)).rejects.toMatchObject({ code: 'ceremony_state' })
      const bytes = new VersionedTransaction(Message.from(payment(wallet, SOL / 4))).serialize()
      const signed = VersionedTransaction.deserialize(await delegate.signTransaction(acceptedWallet, bytes))
      const message = signed.message.serialize()
      expect(
        ed25519.verify(signed.signatures[0] ?? new Uint8Array(), message, new PublicKey(wallet.address).toBytes()),
      ).toBe(true)
      const tooMuch = new VersionedTransaction(Message.from(payment(wallet, SOL))).serialize()
      await expect(delegate.signTransaction(acceptedWallet, tooMuch)).rejects.toMatchObject({ code: 'policy_refused' })
      await expect(delegate.signTransaction(acceptedWallet, bytes.slice(0, 99))).rejects.toMatchObject({
        code: 'invalid_transaction',
      })
    },
  )
})

describe('the user’s approval', () => {
  const refused = { status: 401, body: { code: 'invalid_session_signature', details: { reason: 'operation' } } }
  it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'a delegation requires the user’s approval of exactly that server and its rules, for %s',
    async scheme => {
      const wallet = await create(r1, await world.user(), { scheme })
      const attempt = async (hash: string, to = server, rules: object = policy) =>
        (await delegateTo(r1, wallet, to, { policy: rules }, { hash })).begun
      const approved = delegationHash(server, policy)
      // Another server of the same list, and a server under a wrong name.
      expect(await attempt(approved, other)).toMatchObject(refused)
      expect(await attempt(delegationHash({ listed: { ...server.listed, name: 'Savings' } }, policy))).toMatchObject(
        refused,
      )
      for (const wider of [
        { ...policy, dailyLimit: String(9 * SOL) },
        { ...policy, transactionLimit: undefined },
        { ...policy, programs: [{ programId: SystemProgram.programId.toBase58() }] },
        { ...policy, destinations: undefined },
        { ...policy, destinations: [friend.toBase58(), Keypair.generate().publicKey.toBase58()] },
        { ...policy, messages: true },
      ])
        expect({ wider, ...(await attempt(approved, server, wider)) }).toMatchObject({ wider, ...refused })
      const ending = { ...policy, expiresAt: world.r1.clock.now() + 60_000 }
      expect(await attempt(delegationHash(server, ending), server, policy)).toMatchObject(refused)
      // Signatures over the old format, and over a policy alone.
      for (const hash of [operationHash('delegateKeyShares'), operationHash('delegateKeyShares', policyJson(policy))])
        expect(await attempt(hash)).toMatchObject(refused)
      // The order of the fields does not change the policy.
      const turned = Object.fromEntries(Object.entries(policy).reverse())
      expect((await attempt(approved, server, turned)).status).toBe(200)
      expect((await list(r1, wallet.user))[0].sets).toHaveLength(1)
    },
  )
  it('[S10.2] a delegation approval covers a single wallet: the same signature delegates no other wallet', async () => {
    const user = await world.user()
    const [first, second] = [await create(r1, user), await create(r1, user)]
    const session = { wallet: first.address }
    expect((await delegateTo(r1, second, server, { policy }, { session })).begun).toMatchObject(refused)
    expect((await delegateTo(r1, first, server, { policy }, { session })).begun.status).toBe(200)
  })
  it('[S10.2] refuses a delegation that the user did not approve in the wallet’s own window', async () => {
    const wallet = await create(r1, await world.user())
    expect((await delegateTo(r1, wallet, server, { policy }, { consent: false })).begun).toMatchObject(
      refusal(403, 'consent_required', { rule: 'delegate' }),
    )
  })
  it('[S10.5] R2 checks a delegation against its own list of delegates, whatever R1 says', async () => {
    // This R1 lists the server under another name, which the page also shows.
    const renamed = { ...server, listed: { ...server.listed, name: 'Savings' } }
    const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
    const relay = await anotherR1(folder, { delegates: [renamed.listed] })
    try {
      const lying = only(relay)
      const user = await world.user()
      for (const scheme of ['TWO_OF_TWO', 'THREE_OF_FIVE'] as const) {
        const wallet = await create(lying, user, { scheme })
        expect((await delegateTo(lying, wallet, renamed, { policy })).begun.body).toMatchObject({
          code: refused.body.code,
        })
      }
      // R2 has no say over a set of which it holds no share.
      const small = await create(lying, user)
      expect((await delegateTo(lying, small, renamed, { policy, withR2: false })).begun.status).toBe(200)
    } finally {
      await relay.stop()
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})

describe('a delegate', () => {
  it('[S10.1] ignores the consent claim of a delegate', async () => {
    const { own } = await delegated()
    expect((await pay(own, SOL, friend, { consent: true })).body.code).toBe('policy_refused')
  })
  it('[S10.1] a delegate cannot exceed the daily limit of its policy', async () => {
    const { own } = await delegated()
    expect((await pay(own, SOL / 2 - 10_000)).status).toBe(200)
    expect((await pay(own, SOL / 2 - 10_000)).status).toBe(200)
    expect((await pay(own, SOL / 2 - 10_000)).body).toMatchObject({ code: 'policy_refused' })
  })
  it('refuses a delegate that is on no list, and a delegation without a policy', async () => {
    const wallet = await create(r1, await world.user())
    expect((await delegateTo(r1, wallet, unlisted, { policy })).begun.body.code).toBe('not_enabled')
    expect((await delegateTo(r1, wallet, server, {})).begun.body).toMatchObject({ code: 'invalid_request' })
  })
  it('a delegate’s policy can be changed but not removed, because no user would be present to consent', async () => {
    const { wallet, own } = await delegated()
    expect((await changeSet(r1, wallet, own.setId, 'policy', { policy: null }, true)).body.code).toBe('invalid_request')
    ok(await changeSet(r1, wallet, own.setId, 'policy', { policy: { ...policy, destinations: [] } }, true))
    expect((await pay(own, SOL / 4)).body.code).toBe('policy_refused')
  })
  it('[S10.3] a delegate accepts a delegation alone: with its own key, and without a user’s token', async () => {
    const wallet = await create(r1, await world.user())
    const { accept } = await delegateTo(r1, wallet, server, { policy })
    expect((await accept(ask)).answer.status).toBe(401)
    expect((await accept(askAlone, newKey())).answer.body.code).toBe('invalid_device_signature')
    expect((await accept(askAlone, wallet.device)).answer.body.code).toBe('invalid_device_signature')
    expect((await accept()).answer.status).toBe(200)
  })
  it('[S10.3] a delegate reaches no other set and no other route', async () => {
    const { wallet, own } = await delegated()
    // Requests on the user's own set without the user: with the delegate's key and with the device's.
    expect((await pay({ ...own, setId: wallet.setId }, 1)).status).toBe(401)
    expect((await sign(r1, wallet, payment(wallet, 1), { kind: 'transaction', by: askAlone })).status).toBe(401)
    const path = `/wallets/${wallet.walletId}`
    const { address, walletId, device, setId } = own
    for (const [op, route, body] of [
      ['revokeSet', `${path}/sets/${wallet.setId}/revoke`, {}],
      ['setPolicy', `${path}/sets/${own.setId}/policy`, { policy: { ...policy, dailyLimit: '99' } }],
      ['getWallets', '/wallets/list', {}],
      ['addDevice', `${path}/joins/list`, {}],
    ] as const) {
      const operation = { op, hash: operationHash(op), address, walletId, device, setId }
      expect([route, (await askAlone(r1, wallet.user, route, body, operation)).status]).toEqual([route, 401])
    }
  })
  it('[S10.4] a revoked delegate never signs again: its share combines with no other set, old or new', async () => {
    const { wallet, own } = await delegated()
    ok(await changeSet(r1, wallet, own.setId, 'revoke', {}, true))
    expect((await pay(own, 1)).body.code).toBe('set_revoked')
    const later = await delegateTo(r1, wallet, server, { policy })
    const second = (await later.accept()).own
    // The delegate's old share, under its new set and under the user's set.
    const [old] = [getShare(own, 'C')]
    await expect(pay({ ...second, shares: [old] }, 1)).rejects.toThrow(/signature share|mpc_/i)
    const mixed = { ...getShare(wallet, 'C'), secret: getShare(own, 'C').secret }
    await expect(sign(r1, { ...wallet, shares: [mixed] }, text('mixed'))).rejects.toThrow('Wrong share')
    expect((await pay(second, 1)).status).toBe(200)
  })
  it('[S10.4] revoking a delegate erases the relay’s share of its set, and keeps the row', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
    const relay = await anotherR1(folder, {})
    const target = only(relay)
    const wallet = await create(target, await world.user())
    const { own } = await (await delegateTo(target, wallet, server, { policy })).accept()
    ok(await changeSet(target, wallet, own.setId, 'revoke', {}, true))
    await relay.stop()
    const { db, close } = await openDatabase({ dataDir: join(folder, 'relay', 'db') })
    const { id, status, share } = shareSets
    const rows = await db.select({ id, status, share }).from(shareSets)
    const dealings = await db.select({ state: ceremonies.state }).from(ceremonies)
    await close()
    rmSync(folder, { recursive: true })
    // The finished dealings keep no secret either.
    expect(dealings.map(({ state }) => state)).toEqual(dealings.map(() => null))
    const halves = Object.fromEntries(rows.map(row => [row.id, row]))
    expect(halves[own.setId]).toMatchObject({ status: 'revoked', share: null })
    expect(halves[wallet.setId]).toMatchObject({ status: 'active', share: expect.any(String) })
  }, 60_000)
  it('[S10.4] a delegate signs only while the operator lists the delegate, and list changes need no restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
    const delegatesFile = join(folder, 'delegates.json')
    const relay = await anotherR1(folder, { delegates: [], delegatesFile })
    const wallet = await create(only(relay), await world.user())
    expect((await delegateTo(only(relay), wallet, server, { policy })).begun.body.code).toBe('not_enabled')
    writeFileSync(delegatesFile, JSON.stringify([server.listed]))
    const { own } = await (await delegateTo(only(relay), wallet, server, { policy })).accept()
    const signAsDelegate = () => sign(only(relay), own, payment(wallet, 1), { kind: 'transaction', by: askAlone })
    expect((await signAsDelegate()).status).toBe(200)
    for (const file of [JSON.stringify([newDelegate().listed]), '[', undefined]) {
      if (file === undefined) rmSync(delegatesFile)
      else writeFileSync(delegatesFile, file)
      expect([file, (await signAsDelegate()).status]).toEqual([file, 401])
    }
    await relay.stop()
    rmSync(folder, { recursive: true })
  }, 60_000)
})
