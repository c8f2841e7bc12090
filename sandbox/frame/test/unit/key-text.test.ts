/** Tests what a user may enter as a key, and what the frame distinguishes from a key. */
import { base58 } from '@scure/base'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import { typedSeedReader } from '../../src/page/operations/key-text.js'

const { publicKey, secretKey } = nacl.sign.keyPair()
const seed = secretKey.slice(0, 32)
const hex = Buffer.from(seed).toString('hex')
const WARNING = 'This looks like an address, and an address is no key'

describe('a key that is entered', () => {
  it('reads the seed at once from 64 bytes in base58, from a key file and from hexadecimal', () => {
    const file = JSON.stringify([...secretKey])
    for (const text of [base58.encode(secretKey), file, hex, Buffer.from(secretKey).toString('hex'), ` ${hex}\n`])
      expect(typedSeedReader()(text)).toEqual(seed)
  })

  it('warns that 32 bytes in base58 look like an address, and reads a seed only from the same text again', () => {
    const read = typedSeedReader()
    const [text, address] = [base58.encode(seed), base58.encode(publicKey)]
    expect(() => read(text)).toThrow(WARNING)
    expect(read(text)).toEqual(seed)
    expect(() => read(address)).toThrow(WARNING)
    expect(() => read(text)).toThrow(WARNING)
    expect(read(` ${text} `)).toEqual(seed)
  })

  it('reports an invalid key as invalid, and not as an address', () => {
    for (const text of [
      'not a key',
      base58.encode(seed.slice(1)),
      '[1,2,3]',
      '[256]',
      '["a"]',
      '{}',
      '',
      '0'.repeat(100),
    ])
      expect(() => typedSeedReader()(text)).toThrow('Not a Solana secret key')
  })
})
