/** Taproot addresses, by the vectors of BIP 341. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { taprootAddress, taprootKeyOf } from '../../src/btc/index.js'
import * as mpc from '../../src/mpc/index.js'
import { getPlan, hex, toHex } from '../mpc/ceremonies.js'

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
