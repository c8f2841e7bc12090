/** Tests that a key of one chain never becomes an address of another chain. */
import { type Curve, dealScalar, enableSecp256k1, type ShareSet } from '@keybay/waas/mpc'
import nacl from 'tweetnacl'
import { expect, it } from 'vitest'
import { openChains } from '../../src/page/chains/index.js'
import { addressing } from '../../src/page/core/chain-kit.js'
import { getPlan } from './shares.js'

enableSecp256k1()

function dealt(curve: Curve): { readonly set: ShareSet } {
  return dealScalar(getPlan({ curve }), Uint8Array.of(0, ...nacl.randomBytes(30), 0))
}

async function loadChains() {
  return openChains()
}

it('derives an address only for a chain of the key’s curve', async () => {
  const { set } = dealt('secp256k1')
  expect((await addressing({ loadChains }, 'EVM'))(set)).toMatch(/^0x/)
  expect((await addressing({ loadChains }, 'BTC'))(set)).toMatch(/^bc1p/)
  expect((await addressing({ loadChains }, 'SOL'))(dealt('ed25519').set)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  const wrong = { code: 'unsupported_chain', message: 'Unsupported chain: the key is of another one' }
  for (const [chain, curve] of [
    ['SOL', 'secp256k1'],
    ['EVM', 'ed25519'],
    ['BTC', 'ed25519'],
  ] as const) {
    const addressOf = await addressing({ loadChains }, chain)
    expect(() => addressOf(dealt(curve).set)).toThrow(expect.objectContaining(wrong))
  }
})
