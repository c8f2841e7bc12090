import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkAddress, formatSol, isAddress, parseSol } from '../src/index.js'

const MAX = 2n ** 64n - 1n
const refused = expect.objectContaining({ code: 'amount_invalid' })

it('[S9.6] 1 SOL is 1,000,000,000 lamports', () => {
  expect(parseSol('1')).toBe(1_000_000_000n)
  expect(parseSol('0.000000001')).toBe(1n)
  expect(parseSol(' 1.5 ')).toBe(1_500_000_000n)
  expect(formatSol(1_500_000_000n)).toBe('1.5')
  expect(formatSol(10_000_000_000n)).toBe('10')
  expect(formatSol(0n)).toBe('0')
})
it('a formatted amount parses to the same amount, for every amount the chain can hold', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: MAX }), lamports => parseSol(formatSol(lamports)) === lamports))
})
it.each([
  '',
  ' ',
  '.',
  '1.',
  '.5',
  '-1',
  '+1',
  '1e9',
  '0x10',
  '1,5',
  '1.0000000001',
  '18446744073.709551616',
  'NaN',
  '１',
])('refuses %j as an amount of SOL', text => expect(() => parseSol(text)).toThrow(refused))
it('parses only plain decimal numbers as amounts', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      fc.pre(!/^\s*\d{1,11}(\.\d{1,9})?\s*$/.test(text))
      expect(() => parseSol(text)).toThrow(refused)
    }),
  )
})
it('refuses to format an amount that the chain cannot hold', () => {
  expect(() => formatSol(-1n)).toThrow(refused)
  expect(() => formatSol(MAX + 1n)).toThrow(refused)
})

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
it('[S5.4] agrees with @solana/web3.js on any text', () => {
  const letters = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
  const base58 = fc.array(fc.constantFrom(...letters), { minLength: 30, maxLength: 46 }).map(all => all.join(''))
  const text = fc.oneof(base58, fc.string())
  fc.assert(fc.property(text, address => isAddress(address) === (address.length > 31 && decodes(address))))
})
