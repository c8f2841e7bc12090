/** Bitcoin accounts: signatures by BIP 340 and 341, checked by another implementation; also what a relay refuses. */
import { createHash } from 'node:crypto'
import { taprootKeyOf } from '@keybay/waas/btc'
import { schnorr } from '@noble/curves/secp256k1.js'
import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import {
  changeSet,
  create,
  list,
  only,
  refusal,
  reshare,
  sha256,
  signEvm,
  signTaproot,
  text,
  type Wallet,
} from './frame/index.js'
import { getSharedWorld } from './world.js'

const OTHER = 'bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5'
interface Coin {
  readonly amount: bigint
  readonly script?: Uint8Array
}

function getScript(address: string): Uint8Array {
  return Uint8Array.of(0x51, 0x20, ...taprootKeyOf(address))
}

function getPsbt(address: string, coins: readonly Coin[], pays: bigint, more: object = {}): Uint8Array {
  const transaction = new Transaction()
  for (const [index, { amount, script = getScript(address) }] of coins.entries())
    transaction.addInput({
      txid: '11'.repeat(31) + index.toString(16).padStart(2, '0'),
      index,
      witnessUtxo: { amount, script },
      ...more,
    })
  transaction.addOutputAddress(OTHER, pays)
  transaction.addOutputAddress(address, 10_000n)
  return transaction.toPSBT()
}

/** Computes BIP 341's message for SIGHASH_DEFAULT, implemented independently from its text. */
function getSighash(psbt: Uint8Array, input: number): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt)
  const hash = (...parts: readonly (Uint8Array | Buffer)[]) =>
    createHash('sha256').update(Buffer.concat(parts)).digest()
  const number = (value: bigint | number, bytes: 4 | 8) => {
    const written = Buffer.alloc(8)
    written.writeBigUInt64LE(BigInt(value))
    return written.subarray(0, bytes)
  }
  const sized = (script: Uint8Array) => Buffer.concat([Buffer.of(script.length), script])
  const inputs = Array.from({ length: transaction.inputsLength }, (_, index) => transaction.getInput(index))
  const outputs = Array.from({ length: transaction.outputsLength }, (_, index) => transaction.getOutput(index))
  const spent = inputs.map(({ witnessUtxo }) => witnessUtxo ?? { amount: 0n, script: new Uint8Array() })
  const tag = hash(Buffer.from('TapSighash'))
  return hash(
    tag,
    tag,
    Buffer.of(0, 0),
    number(transaction.version, 4),
    number(transaction.lockTime, 4),
    hash(
      ...inputs.flatMap(({ txid = new Uint8Array(), index = 0 }) => [Buffer.from(txid).reverse(), number(index, 4)]),
    ),
    hash(...spent.map(({ amount }) => number(amount, 8))),
    hash(...spent.map(({ script }) => sized(script))),
    hash(...inputs.map(({ sequence = 0xffffffff }) => number(sequence, 4))),
    hash(
      ...outputs.map(({ amount = 0n, script = new Uint8Array() }) => Buffer.concat([number(amount, 8), sized(script)])),
    ),
    Buffer.of(0),
    number(input, 4),
  )
}

function isSigned(psbt: Uint8Array, signed: Uint8Array, address: string): boolean {
  const transaction = Transaction.fromPSBT(signed)
  return Array.from({ length: transaction.inputsLength }, (_, index) => transaction.getInput(index).tapKeySig).every(
    (signature, index) =>
      signature !== undefined && schnorr.verify(signature, getSighash(psbt, index), taprootKeyOf(address)),
  )
}

const btc = { chainName: 'BTC' } as const
const twoCoins = [{ amount: 60_000n }, { amount: 55_000n }]
const world = await getSharedWorld()
const r1 = only(world.r1)
const user = await world.user()
const wallet = await create(r1, user, btc)

function finished(answer: Awaited<ReturnType<typeof signTaproot>>): Uint8Array {
  if (!('finish' in answer)) throw new Error(JSON.stringify(answer.body))
  return answer.finish()
}

describe('a Bitcoin account', () => {
  it.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'a Bitcoin account of %s signs every input of a PSBT',
    async scheme => {
      const made = await create(r1, user, { ...btc, scheme })
      expect(made.address).toMatch(/^bc1p/)
      const psbt = getPsbt(made.address, twoCoins, 100_000n)
      const signed = finished(await signTaproot(r1, made, psbt))
      expect(isSigned(psbt, signed, made.address)).toBe(true)
      const transaction = Transaction.fromPSBT(signed)
      transaction.finalize()
      expect(transaction.fee).toBe(5_000n)
      expect(transaction.extract().length).toBeGreaterThan(200)
    },
  )

  it('a Bitcoin account signs only its own inputs of a PSBT that has other owners’ inputs', async () => {
    const foreignInput = { amount: 70_000n, script: getScript(OTHER) }
    const psbt = getPsbt(wallet.address, [foreignInput, { amount: 60_000n }], 110_000n)
    const signed = Transaction.fromPSBT(finished(await signTaproot(r1, wallet, psbt)))
    expect(signed.getInput(0).tapKeySig).toBeUndefined()
    const { tapKeySig = new Uint8Array() } = signed.getInput(1)
    expect(schnorr.verify(tapKeySig, getSighash(psbt, 1), taprootKeyOf(wallet.address))).toBe(true)
    expect(await signTaproot(r1, wallet, psbt, { body: { commitments: [] } })).toMatchObject({ status: 400 })
  })

  it('a Bitcoin account keeps its address after a resharing', async () => {
    const old = await create(r1, user, btc)
    const resharing = await reshare(r1, old)
    const fresh = resharing.after(old, await resharing.commit())
    const psbt = getPsbt(old.address, [{ amount: 60_000n }], 20_000n)
    expect(isSigned(psbt, finished(await signTaproot(r1, fresh, psbt)), old.address)).toBe(true)
    expect(await signTaproot(r1, old, psbt)).toMatchObject(refusal(409, 'epoch_mismatch'))
  })
})

describe('a relay does not sign', () => {
  const psbt = () => getPsbt(wallet.address, twoCoins, 100_000n)

  it('does not sign a PSBT whose amount was changed on the way', async () => {
    const changed = getPsbt(wallet.address, twoCoins, 104_000n)
    expect(await signTaproot(r1, wallet, changed, { session: { hash: sha256(psbt()) } })).toMatchObject(
      refusal(401, 'invalid_session_signature', { reason: 'operation' }),
    )
    expect(await signTaproot(r1, wallet, changed, { claims: { hash: sha256(psbt()) } })).toMatchObject(
      refusal(401, 'invalid_device_signature', { reason: 'operation' }),
    )
  })

  it('signature shares do not combine if the relay signs another transaction than the frame reads', async () => {
    const answer = await signTaproot(r1, wallet, psbt(), { read: getPsbt(wallet.address, twoCoins, 104_000n) })
    expect(() => finished(answer)).toThrow('Wrong signature share')
  })

  it('a signature over a false input amount is invalid for every node', async () => {
    const lie = getPsbt(wallet.address, [{ amount: 60_000n }, { amount: 155_000n }], 100_000n)
    const signed = finished(await signTaproot(r1, wallet, lie))
    expect(isSigned(psbt(), signed, wallet.address)).toBe(false)
    const joint = (amount: bigint) =>
      getPsbt(wallet.address, [{ amount: 60_000n }, { amount, script: getScript(OTHER) }], 100_000n)
    const { tapKeySig = new Uint8Array() } = Transaction.fromPSBT(
      finished(await signTaproot(r1, wallet, joint(155_000n))),
    ).getInput(0)
    expect(schnorr.verify(tapKeySig, getSighash(joint(55_000n), 0), taprootKeyOf(wallet.address))).toBe(false)
  })

  it.each<[string, (address: string) => Uint8Array]>([
    ['others’ inputs alone', address => getPsbt(address, [{ amount: 60_000n, script: getScript(OTHER) }], 40_000n)],
    ['more than there is', address => getPsbt(address, [{ amount: 60_000n }], 90_000n)],
    ['another type of sighash', address => getPsbt(address, twoCoins, 90_000n, { sighashType: 0x83 })],
    ['bytes that are no PSBT', () => Uint8Array.of(1, 2, 3)],
  ])('refuses to sign a PSBT with the wrong content: %s', async (_, make) => {
    const sent = Buffer.from(make(wallet.address))
    const answer = await signTaproot(r1, wallet, new Uint8Array(sent), { read: psbt() })
    expect(answer).toMatchObject(refusal(400, 'invalid_request', { reason: 'content' }))
  })

  it('signs no PSBT without consent, for another user, twice, or with commitments for other inputs', async () => {
    expect(await signTaproot(r1, wallet, psbt(), { consent: false })).toMatchObject(refusal(403, 'consent_required'))
    const other = await world.user()
    expect(await signTaproot(r1, { ...wallet, user: other }, psbt())).toMatchObject(refusal(404, 'wallet_not_found'))
    const claims = { jti: 'the-same-one-again-1' }
    expect((await signTaproot(r1, wallet, psbt(), { claims })).status).toBe(200)
    expect(await signTaproot(r1, wallet, psbt(), { claims })).toMatchObject({
      status: 401,
      body: { details: { reason: 'replay' } },
    })
    expect((await signTaproot(r1, wallet, psbt(), { body: { commitments: [] } })).status).toBe(400)
  })

  it('refuses a Bitcoin account on the EVM signing route, which would release its share', async () => {
    const content = text('hello')
    expect(await signEvm(r1, wallet, content)).toMatchObject({ status: 400, body: { details: { reason: 'chain' } } })
  })

  it('refuses a policy for a Bitcoin account', async () => {
    const { walletId, setId, address } = wallet
    const policy = { programs: [], messages: true }
    expect(await changeSet(r1, wallet, setId, 'policy', { policy }, true)).toMatchObject(
      refusal(403, 'policy_unsupported', { chainName: 'BTC', signing: 'threshold' }),
    )
    const wallets = await list(r1, user)
    expect(wallets.find((wallet: Wallet) => wallet.walletId === walletId)).toMatchObject({ chainName: 'BTC', address })
  })
})
