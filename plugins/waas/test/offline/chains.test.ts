/** Keys of Ethereum and Bitcoin accounts, back from their envelopes without any service. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { addr } from 'micro-eth-signer'
import { expect, it, vi } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import { keyText, recoverKey } from '../../src/offline/index.js'
import { getPlan } from '../mpc/ceremonies.js'

/** Fast: this is not about argon2id. */
const quick: mpc.Argon2id = (password, salt) => sha256(Uint8Array.of(...password, ...salt))

it('recovers a private key in the format that other wallets import, with its addresses', async () => {
  const secret = secp256k1.utils.randomSecretKey()
  const { set, subShares } = mpc.dealScalar(getPlan('TWO_OF_THREE', { curve: 'secp256k1' }), secret.slice())
  const password = 'correct horse'
  const getEnvelope = (party: mpc.Party) => {
    const { secret: share = new Uint8Array() } = subShares.find(({ to }) => to === party) ?? {}
    return mpc.sealBackup({ shares: [{ set, party, secret: share }], password, argon2id: quick })
  }
  const envelopes = [await getEnvelope('C'), await getEnvelope('B1')]
  const recovered = await recoverKey({ envelopes, passwords: [password], argon2id: quick })
  expect(recovered.kind).toBe('private-key')
  expect(keyText(recovered)).toBe(Buffer.from(secret).toString('hex'))
  const [ethereum, bitcoin] = recovered.address.split(' or ')
  expect(ethereum).toBe(addr.fromPrivateKey(secret))
  expect(bitcoin).toMatch(/^bc1p/)
})

it('refuses a key of another chain before it tries a password, on a page that reads only Solana keys', async () => {
  const { set, subShares } = mpc.dealScalar(getPlan('TWO_OF_TWO', { curve: 'secp256k1' }), new Uint8Array(32).fill(7))
  const parts = subShares.map(({ to: party, secret }) =>
    mpc.sealBackup({ shares: [{ set, party, secret }], password: 'correct horse', argon2id: quick }),
  )
  const keyShares = (await Promise.all(parts)).map(part => Buffer.from(part).toString('base64'))
  vi.resetModules()
  const { offlineArguments, recoverOffline } = await import('../../src/offline/arguments.js')
  const never = () => {
    throw new Error('a password was tried')
  }
  await expect(
    recoverOffline(offlineArguments({ keyShares, passwords: ['correct horse'] }), never),
  ).rejects.toMatchObject({
    code: 'mpc_curve_unknown',
    message: expect.stringContaining('The key belongs to another chain. Name its chain'),
  })
})
