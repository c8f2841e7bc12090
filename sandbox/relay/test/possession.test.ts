/** A wallet is created only for a key whose shares the caller holds, whatever commitments the caller publishes. */
import * as mpc from '@keybay/waas/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { afterAll, expect, it } from 'vitest'
import {
  asPeer,
  b64,
  create,
  importKey,
  newPlan,
  newSeed,
  ok,
  only,
  operationHash,
  proveCreation,
  refusal,
  relayKeys,
  sealFor,
  toJwk,
} from './frame/index.js'
import { newKey, newRelayKeys, startWorld } from './world.js'

const r1Keys = newRelayKeys()
const world = await startWorld({ r1: { keys: r1Keys.keys } })
const r1 = only(world.r1)
const sealingKeys = await relayKeys(r1)
afterAll(() => world.stop())

const { BASE, Fn, fromBytes } = ed25519.Point

function invalidProof(party: mpc.Party) {
  return refusal(400, 'bad_share', { reason: 'mpc_proof_invalid', party })
}

function addressOf(seed: Uint8Array): string {
  return bs58.encode(ed25519.getPublicKey(seed))
}

function newScalar(): bigint {
  return ed25519.utils.getExtendedPublicKey(newSeed()).scalar
}

/** Deals for an address without its key: chooses what one relay receives, and computes commitments that fit. */
function dealUnknownKey(plan: mpc.SetPlan, address: string, relay: 'R1' | 'R2' = 'R1') {
  const key = fromBytes(bs58.decode(address))
  const x = BigInt(mpc.partyNumber(relay))
  const [secret, factors] = [newScalar(), Array.from({ length: plan.threshold - 2 }, newScalar)]
  const higher = factors.reduce((sum, factor, k) => Fn.add(sum, Fn.mul(factor, x ** BigInt(k + 2))), 0n)
  const slope = BASE.multiply(Fn.sub(secret, higher)).subtract(key).multiply(Fn.inv(x))
  const points = [key, slope, ...factors.map(factor => BASE.multiply(factor))]
  const set = { ...plan, commitments: points.map(point => point.toBytes()) }
  const dealt = {
    package: b64(mpc.encode(mpc.codecs.dealPackage, { set })),
    subShares: sealFor(plan, sealingKeys, [{ from: 'C', to: relay, secret: Fn.toBytes(secret) }]),
    transcript: b64(mpc.dealTranscript({ set })),
  }
  const invented = plan.parties
    .filter(party => party !== 'R1' && party !== 'R2')
    .map(party => ({ set, party, secret: Fn.toBytes(newScalar()) }))
  return { dealt, invented }
}

it.each(['TWO_OF_TWO', 'TWO_OF_THREE'] as const)(
  'an import of an address without its key is refused, so its owner can import it: %s',
  async scheme => {
    const seed = newSeed()
    const { answer } = await importKey(r1, await world.user(), newSeed(), scheme, (body, { plan, device }) => {
      const { dealt, invented } = dealUnknownKey(plan, addressOf(seed))
      return { ...body, ...dealt, proofs: proveCreation(plan, dealt, device, invented) }
    })
    expect(answer).toMatchObject(invalidProof('C'))
    const own = await importKey(r1, await world.user(), seed, scheme)
    expect(ok(own.answer).wallet.address).toBe(addressOf(seed))
  },
)

it('R2 refuses an import without its key itself, whatever R1 forwards', async () => {
  const [user, device, plan] = [await world.user(), newKey(), newPlan('THREE_OF_FIVE')]
  const { dealt, invented } = dealUnknownKey(plan, addressOf(newSeed()), 'R2')
  const { ceremonyId, walletId, setId } = plan
  const facts = { ceremonyId, walletId, setId, chainName: 'SOL', scheme: 'THREE_OF_FIVE', deviceKey: toJwk(device) }
  const body = { ...facts, ...dealt, proofs: proveCreation(plan, dealt, device, invented) }
  const op = 'importPrivateKey'
  const operation = { op, hash: operationHash(op, 'SOL', 'THREE_OF_FIVE'), device, walletId, setId }
  const forward = asPeer(world.r2, r1Keys).forward()
  expect(await forward(r1, user, '/wallets/import', body, operation)).toMatchObject(invalidProof('C'))
})

it('an import needs the proof of each party of the frame', async () => {
  const user = await world.user()
  const withOnly = (count: number) =>
    importKey(r1, user, newSeed(), 'TWO_OF_THREE', body => ({ ...body, proofs: [body.proofs].flat().slice(0, count) }))
  expect((await withOnly(0)).answer).toMatchObject(invalidProof('C'))
  expect((await withOnly(1)).answer).toMatchObject(invalidProof('B1'))
  expect((await withOnly(2)).answer.status).toBe(200)
})

it('the proofs of another ceremony, transcript or device are refused', async () => {
  const user = await world.user()
  const transcript = b64(newSeed())
  for (const other of [{ plan: newPlan('TWO_OF_TWO') }, { body: { transcript } }, { device: newKey() }]) {
    const { answer } = await importKey(r1, user, newSeed(), 'TWO_OF_TWO', (body, made) => {
      const { plan, device, shares } = { ...made, ...other }
      const dealt = { transcript: String(body.transcript), ...other.body }
      return { ...body, proofs: proveCreation(plan, dealt, device, shares) }
    })
    expect(answer).toMatchObject(invalidProof('C'))
  }
})

it.each([false, true])('a creation needs the proofs too (exportable: %s)', async exportable => {
  const user = await world.user()
  const created = create(r1, user, { scheme: 'TWO_OF_THREE', exportable, change: body => ({ ...body, proofs: [] }) })
  await expect(created).rejects.toThrow('mpc_proof_invalid')
})
