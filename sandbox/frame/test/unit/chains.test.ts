/**
 * Tests a key of one chain where another chain's is expected: it never becomes an address of the wrong chain, and the
 * error comes before a password is tried.
 */
import { type Argon2id, type Curve, dealScalar, enableSecp256k1, sealBackup } from '@keybay/waas/mpc'
import { offlineArguments, recoverOfflineWith } from '@keybay/waas/offline'
import { sha256 } from '@noble/hashes/sha2.js'
import { p2tr } from '@scure/btc-signer'
import { pubSchnorr } from '@scure/btc-signer/utils.js'
import { addr } from 'micro-eth-signer'
import nacl from 'tweetnacl'
import { expect, it } from 'vitest'
import { openChains } from '../../src/page/chains/index.js'
import { addressing } from '../../src/page/core/chain-kit.js'
import { getPlan } from './shares.js'

enableSecp256k1()

function dealt(curve: Curve, secret: Uint8Array = Uint8Array.of(0, ...nacl.randomBytes(30), 0)) {
  return dealScalar(getPlan({ curve }), secret)
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

/** Fast, because this test is not about argon2id. */
const quick: Argon2id = (password, salt) => sha256(Uint8Array.of(...password, ...salt))
const password = 'correct horse'
/** Returns the shares of a key on secp256k1, each in an envelope, as `keyShares` has them. */
async function getKeyShares({ set, subShares }: ReturnType<typeof dealt>): Promise<readonly string[]> {
  const parts = subShares.map(({ to: party, secret }) =>
    sealBackup({ shares: [{ set, party, secret }], password, argon2id: quick }),
  )
  return (await Promise.all(parts)).map(part => Buffer.from(part).toString('base64'))
}

it.each([
  ['EVM', (key: Uint8Array) => addr.fromPrivateKey(key)],
  ['BTC', (key: Uint8Array) => p2tr(pubSchnorr(key)).address],
] as const)('recovers the key of an account of %s from its shares, without any service', async (chain, addressOf) => {
  const secret = nacl.randomBytes(32)
  const keyShares = await getKeyShares(dealt('secp256k1', secret.slice()))
  const given = offlineArguments({ keyShares, passwords: [password] })
  expect(await recoverOfflineWith(given, quick, await addressing({ loadChains }, chain))).toEqual({
    accountAddress: addressOf(secret),
    privateKey: Buffer.from(secret).toString('hex'),
  })
  await expect(recoverOfflineWith(given, quick, await addressing({ loadChains }, 'SOL'))).rejects.toMatchObject({
    code: 'unsupported_chain',
  })
})
