import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAddress, isAddress } from '../src/index.js'

function bytes(length: number) {
  return fc.uint8Array({ minLength: length, maxLength: length })
}

function decodes(text: string) {
  try {
    return new PublicKey(text).toBytes().length === 32
  } catch {
    return false
  }
}

describe('addresses', () => {
  it('[S5.4] accepts every public key as an address, as @solana/web3.js encodes it', () => {
    fc.assert(
      fc.property(bytes(32), key => {
        const address = new PublicKey(key).toBase58()
        expect(isAddress(address)).toBe(true)
        checkAddress(address)
      }),
    )
    expect(isAddress('11111111111111111111111111111111')).toBe(true)
  })
  it('[S5.4] refuses an address of 31 or 45 characters, with other letters, or not of 32 bytes', () => {
    const wrong = [
      '1'.repeat(31),
      '1'.repeat(45),
      '1'.repeat(33),
      'z'.repeat(44),
      `${'1'.repeat(31)}0`,
      `${'1'.repeat(31)}l`,
    ]
    for (const address of [...wrong, '', ' '.repeat(40), 7, undefined, null]) {
      expect(isAddress(address)).toBe(false)
      expect(() => checkAddress(address)).toThrow(expect.objectContaining({ code: 'address_invalid' }))
    }
  })
  it('[S5.4] agrees with @solana/web3.js on any base58 address of about that length', () => {
    const letters = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
    const text = fc.array(fc.constantFrom(...letters), { minLength: 30, maxLength: 46 }).map(all => all.join(''))
    fc.assert(fc.property(text, address => isAddress(address) === (address.length > 31 && decodes(address))))
  })
})
