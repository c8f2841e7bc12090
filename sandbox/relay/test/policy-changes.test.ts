/** Both relays enforce the policy that the user signed, after any change of scheme or membership. */
import { codecs, createFrameSigner, encode, MAX_UNCONFIRMED } from '@keybay/waas/mpc'
import { Keypair, PublicKey, SystemProgram, TransactionMessage } from '@solana/web3.js'
import { afterAll, describe, expect, it } from 'vitest'
import {
  asDevice,
  asPeer,
  b64,
  changeSet,
  create,
  delegateTo,
  getShare,
  jws,
  newDelegate,
  ok,
  only,
  policyJson,
  type ReshareOptions,
  refusal,
  reshare,
  sha256,
  toJwk,
  type Wallet,
} from './frame/index.js'
import { newRelayKeys, startWorld } from './world.js'

const r1Keys = newRelayKeys()
const server = newDelegate()
const world = await startWorld({ r1: { keys: r1Keys.keys }, environment: { delegates: [server.listed] } })
const r1 = only(world.r1)
const peer = asPeer(world.r2, r1Keys)
afterAll(() => world.stop())

const friend = Keypair.generate().publicKey
const stranger = Keypair.generate().publicKey
function policyFor(to: PublicKey) {
  const programs = [{ programId: SystemProgram.programId.toBase58(), instructions: ['02000000'] }]
  return { programs, destinations: [to.toBase58()], messages: false }
}
const [first, second] = [policyFor(friend), policyFor(stranger)]

async function setPolicy(wallet: Wallet, policy: object): Promise<Wallet> {
  ok(await changeSet(r1, wallet, wallet.setId, 'policy', { policy }, true))
  return { ...wallet, policy }
}

async function change(wallet: Wallet, options: ReshareOptions = {}): Promise<Wallet> {
  const resharing = await reshare(r1, wallet, options)
  return resharing.after(wallet, await resharing.commit())
}
function to(scheme: Wallet['scheme']): ReshareOptions {
  return { purpose: 'reshare', scheme }
}

/** Asks R2 for its signature share of a payment, in the name of an R1 that refuses nothing. */
function payAtR2(wallet: Wallet, payee: PublicKey, isAlone = false) {
  const payerKey = new PublicKey(wallet.address)
  const instructions = [SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: payee, lamports: 5_000_000_000 })]
  const recentBlockhash = Keypair.generate().publicKey.toBase58()
  const message = new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToLegacyMessage()
  const bytes = new Uint8Array(message.serialize())
  const { commitment } = createFrameSigner(getShare(wallet, 'C'), ['R1', 'R2']).begin(bytes)
  const write = (party: 'C' | 'R1') => b64(encode(codecs.signCommitment, { ...commitment, party }))
  const { walletId, setId, record, user } = wallet
  const body = { setId, kind: 'transaction', message: b64(bytes), commitment: write('C') }
  const signers = ['C', 'R1', 'R2']
  const operation = asDevice(wallet, 'signTransaction', { hash: sha256(bytes), signers, consent: !isAlone })
  const extra = { commitment: write('R1'), record }
  return peer.forward({ extra }, isAlone)(r1, user, `/wallets/${walletId}/sign`, body, operation)
}

async function expectEnforced(wallet: Wallet, allowed: PublicKey, refused: PublicKey, isAlone = false) {
  expect(await payAtR2(wallet, refused, isAlone)).toMatchObject(refusal(403, 'policy_refused', { rule: 'destination' }))
  expect(await payAtR2(wallet, allowed, isAlone)).toMatchObject({ status: 200 })
}

async function born(scheme: Wallet['scheme']): Promise<Wallet> {
  return create(r1, await world.user(), { scheme })
}
async function ruled(scheme: Wallet['scheme']): Promise<Wallet> {
  return setPolicy(await born(scheme), first)
}

describe('R2, asked directly, enforces the policy of a wallet', () => {
  it.each([
    ['born 3-of-5', () => ruled('THREE_OF_FIVE')],
    ['refreshed', async () => change(await ruled('THREE_OF_FIVE'))],
    ['2-of-2 to 3-of-5', async () => change(await ruled('TWO_OF_TWO'), to('THREE_OF_FIVE'))],
    ['2-of-3 to 3-of-5', async () => change(await ruled('TWO_OF_THREE'), to('THREE_OF_FIVE'))],
    ['on a replaced device', async () => change(await ruled('THREE_OF_FIVE'), { purpose: 'replaceDevice', by: 'B1' })],
    ['on a further device', async () => change(await ruled('THREE_OF_FIVE'), { purpose: 'addDevice', by: 'B1' })],
  ] as const)('%s', async (_, make) => expectEnforced(await make(), friend, stranger))

  it('changed while R2 was away', async () => {
    const away = await change(await ruled('THREE_OF_FIVE'), to('TWO_OF_THREE'))
    const back = await change(await setPolicy(away, second), to('THREE_OF_FIVE'))
    await expectEnforced(back, stranger, friend)
  })

  it('of a delegate', async () => {
    const wallet = await ruled('THREE_OF_FIVE')
    const { answer, own } = await (await delegateTo(r1, wallet, server, { policy: second })).accept()
    expect(answer.status).toBe(200)
    const { sets } = answer.body.wallet
    const { record } = sets.find(({ setId }: { setId: string }) => setId === own.setId)
    await expectEnforced({ ...own, record }, stranger, friend, true)
  })
})

it('R2 signs nothing once R1 has named more policies than R2 keeps, until the user sets one', async () => {
  const wallet = await born('THREE_OF_FIVE')
  const changed = ok(await changeSet(r1, wallet, wallet.setId, 'policy', { policy: first }, true))
  const [{ record }] = changed.wallet.sets
  let told: string = record
  for (let more = 0; more <= MAX_UNCONFIRMED; more += 1) {
    const policy = policyJson(policyFor(Keypair.generate().publicKey))
    const claims = JSON.parse(Buffer.from(told.split('.')[1] ?? '', 'base64url').toString())
    const lie = { ...claims, gen: claims.gen + 1, prev: sha256(told), policy: sha256(policy) }
    told = jws(r1Keys.recordKey, 'keybay-record+jwt', lie, { kid: r1Keys.kid })
    expect(await peer.tell(told, policy)).toMatchObject({ status: 200 })
  }
  expect(await payAtR2(wallet, friend)).toMatchObject(refusal(403, 'policy_refused', { rule: 'expired' }))
  const extra = { record, deviceKey: toJwk(wallet.device), policy: first }
  const atR2 = peer.forward({ extra })
  ok(await changeSet(r1, wallet, wallet.setId, 'policy', { policy: second }, true, atR2))
  await expectEnforced(wallet, stranger, friend)
})

describe('a resharing', () => {
  it('is refused when the device has signed another policy than the relay enforces', async () => {
    const { policy: _, ...wallet } = await ruled('TWO_OF_THREE')
    expect((await reshare(r1, wallet, to('THREE_OF_FIVE'))).begun).toMatchObject(refusal(409, 'policy_mismatch'))
  })

  it('is not committed when the policy has changed since it was dealt', async () => {
    const wallet = await ruled('THREE_OF_FIVE')
    const waiting = await reshare(r1, wallet)
    const changed = await setPolicy(wallet, second)
    expect(await waiting.commit()).toMatchObject(refusal(409, 'policy_mismatch'))
    await expectEnforced(await change(changed), stranger, friend)
  })

  it('is refused by R2 when R1 hands on another policy than the device has signed', async () => {
    const wallet = await ruled('TWO_OF_THREE')
    const { record, device } = wallet
    const handOn = (policy: object | null) => {
      const extra = { record, deviceKey: toJwk(device), policy, dealings: [], subShares: [] }
      return reshare(r1, wallet, { ...to('THREE_OF_FIVE'), send: peer.forward({ extra }) })
    }
    expect((await handOn(null)).begun).toMatchObject(refusal(409, 'policy_mismatch'))
    // With the right policy R2 goes on, and misses R1's dealing.
    expect((await handOn(first)).begun).toMatchObject(refusal(400, 'bad_share'))
  })
})
