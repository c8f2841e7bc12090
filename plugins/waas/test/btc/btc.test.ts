/** Taproot addresses by the vectors of BIP 341, and transactions that several sign. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p2pkh, p2tr, p2wpkh, Transaction } from '@scure/btc-signer'
import {
  pubECDSA,
  pubSchnorr,
  randomPrivateKeyBytes,
  signSchnorr,
  taprootTweakPrivKey,
} from '@scure/btc-signer/utils.js'
import { describe, expect, it } from 'vitest'
import { readPsbt, taprootAddress, taprootKeyOf } from '../../src/btc/index.js'
import * as mpc from '../../src/mpc/index.js'
import { getPlan, hex, toHex } from '../mpc/ceremonies.js'

const [ours, friends] = [randomPrivateKeyBytes(), randomPrivateKeyBytes()]
const internalKey = pubSchnorr(ours)
const account = p2tr(internalKey)
const friend = p2wpkh(pubECDSA(friends))
const outputKey = account.script.subarray(2)

interface Coin {
  readonly script?: Uint8Array
  readonly amount?: bigint
  readonly more?: object
}
const ownCoin: Coin = { script: account.script, more: { tapInternalKey: internalKey } }
const other: Coin = { script: friend.script }

function getId(index: number): string {
  return (index + 1).toString(16).padStart(64, '0')
}

function joint(coins: readonly Coin[], pays = 40_000n): Transaction {
  const transaction = new Transaction()
  for (const [index, { script, amount = 60_000n, more }] of coins.entries())
    transaction.addInput({ txid: getId(index), index: 0, ...(script && { witnessUtxo: { script, amount } }), ...more })
  transaction.addOutput({ script: friend.script, amount: pays })
  transaction.addOutput({ script: account.script, amount: 20_000n })
  return transaction
}

function read(transaction: Transaction) {
  return readPsbt(transaction.toPSBT(), outputKey)
}
/** The account's signatures by its whole key, as its parts would make them. */
function signedBy(psbt: ReturnType<typeof readPsbt>): Transaction {
  return Transaction.fromPSBT(
    psbt.withSignatures(psbt.sighashes.map(sighash => signSchnorr(sighash, taprootTweakPrivKey(ours)))),
  )
}
/** The transaction before, whole, as inputs of older kinds have it. */
function before(): Transaction {
  const transaction = new Transaction()
  transaction.addInput({ txid: getId(98), index: 0, witnessUtxo: { script: friend.script, amount: 70_000n } })
  transaction.addOutput({ script: p2pkh(pubECDSA(friends)).script, amount: 60_000n })
  transaction.sign(friends)
  transaction.finalize()
  return transaction
}

describe('a PSBT with inputs of other signers', () => {
  it('signs only the account’s own PSBT inputs, each at its index, and leaves the others to their signers', () => {
    const psbt = read(joint([other, ownCoin, other, ownCoin], 180_000n))
    expect(psbt).toMatchObject({ own: 120_000n, others: [60_000n, 60_000n], fee: 40_000n })
    expect(psbt.sighashes).toHaveLength(2)
    const signed = signedBy(psbt)
    const has = [0, 1, 2, 3].map(index => signed.getInput(index).tapKeySig !== undefined)
    expect(has).toEqual([false, true, false, true])
    signed.sign(friends)
    signed.finalize()
    expect(signed.fee).toBe(40_000n)
  })

  it('keeps the existing signatures of other signers in a PSBT', () => {
    const transaction = joint([other, ownCoin])
    transaction.signIdx(friends, 0)
    const signed = signedBy(read(transaction))
    expect(signed.getInput(0).partialSig).toEqual(transaction.getInput(0).partialSig)
    signed.finalize()
  })

  it('computes the PSBT sighash that another implementation signs, which covers every amount and script', () => {
    const transaction = joint([other, ownCoin])
    const [sighash = new Uint8Array()] = read(transaction).sighashes
    const noRandom = new Uint8Array(32)
    transaction.signIdx(ours, 1, undefined, noRandom)
    expect(transaction.getInput(1).tapKeySig).toEqual(signSchnorr(sighash, taprootTweakPrivKey(ours), noRandom))
    for (const lie of [{ ...other, amount: 60_001n }, { script: p2wpkh(pubECDSA(ours)).script }])
      expect(read(joint([lie, ownCoin])).sighashes).not.toContainEqual(sighash)
  })

  it('reads the output that a legacy PSBT input spends from the previous transaction, whose hash must match', () => {
    const { id, hex: whole } = before()
    const transaction = joint([ownCoin])
    transaction.addInput({ txid: id, index: 0, nonWitnessUtxo: whole })
    expect(read(transaction).others).toEqual([60_000n])
    transaction.sign(friends)
    const signed = signedBy(read(transaction))
    signed.finalize()
    expect(signed.fee).toBe(60_000n)
    const bytes = Buffer.from(transaction.toPSBT())
    const place = bytes.indexOf(Buffer.from(id, 'hex').toReversed())
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
    expect(() => readPsbt(new Uint8Array(bytes), outputKey)).toThrow('no PSBT')
  })

  it.each<[string, string, readonly Coin[]]>([
    ['without what another input spends', 'input 1: without what it spends', [{}, ownCoin]],
    ['without what its own input spends', 'input 2: without what it spends', [other, {}]],
    ['with no input of the account', 'no input of this account', [other, other]],
    ['with another type of sighash', 'input 2: sighash type', [other, { ...ownCoin, more: { sighashType: 0x81 } }]],
    [
      'of too many inputs of the account',
      'inputs or outputs',
      Array.from({ length: 33 }, () => ({ ...ownCoin, amount: 10_000n })),
    ],
  ])('refuses a PSBT %s', (_, detail, coins) => {
    expect(() => read(joint(coins))).toThrow(`Not a transaction that this account signs: ${detail}`)
  })

  it('refuses a PSBT that the account has signed already, and a PSBT that pays more than its inputs hold', () => {
    const transaction = joint([other, ownCoin])
    transaction.signIdx(ours, 1)
    expect(() => read(transaction)).toThrow('input 2: signed already')
    expect(() => read(joint([other, ownCoin], 100_001n))).toThrow('it pays more than it has')
  })
})

describe('a taproot address', () => {
  // wallet-test-vectors.json of BIP 341: keyPathSpending, first input; scriptPubKey, first entry.
  const VECTOR = {
    internalPrivkey: '6b973d88838f27366ed61c9ad6367663045cb456e28335c109e30717ae0c6baa',
    internalPubkey: 'd6889cb081036e0faefa3a35157ad71086b123b2b144b649798b494c300a961d',
    tweakedPubkey: '53a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343',
    address: 'bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5',
  }

  it('derives the taproot address of the BIP 341 vector from dealt shares', () => {
    const { set } = mpc.dealScalar(getPlan('TWO_OF_THREE', { curve: 'secp256k1' }), hex(VECTOR.internalPrivkey))
    expect(toHex(mpc.groupKey(set).subarray(1))).toBe(VECTOR.internalPubkey)
    expect(taprootAddress(set)).toBe(VECTOR.address)
    expect(toHex(taprootKeyOf(VECTOR.address))).toBe(VECTOR.tweakedPubkey)
    expect(toHex(secp256k1.getPublicKey(hex(VECTOR.internalPrivkey)).subarray(1))).toBe(VECTOR.internalPubkey)
  })

  it.each([
    '',
    'bc1q',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'tb1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps0mszmm',
    '0x00',
  ])('refuses %s as a taproot address', address => {
    expect(() => taprootKeyOf(address)).toThrow('Not a transaction that this account signs')
  })
})
