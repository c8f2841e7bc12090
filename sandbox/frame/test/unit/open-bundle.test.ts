/** Opens export bundles that a test enclave sealed. sandbox/e2e opens those of the real custody service. */
import { sign } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import type { Sealed } from '@keybay/turnkey/protocol'
import { formatHpkeBuf, generateP256KeyPair, hpkeEncrypt } from '@turnkey/crypto'
import bs58 from 'bs58'
import { addr } from 'micro-eth-signer'
import nacl from 'tweetnacl'
import { expect, it } from 'vitest'
import { readExportConfiguration } from '../../src/configuration/export.js'
import { openBundle } from '../../src/turnkey-export/open-bundle.js'
import { keyOfWords } from '../../src/turnkey-export/words.js'

const enclave = newKeyPair('P-256')
const { x = '', y = '' } = enclave.publicKey.export({ format: 'jwk' })
const signer = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('hex')
const target = generateP256KeyPair()
/** The first vector of BIP-39, and the path of Phantom and Solflare. */
const WORDS = `${'abandon '.repeat(11)}about`
const PATH = "m/44'/501'/0'/0'"

function seal(secret: Uint8Array, organizationId = 'organization'): string {
  const targetKeyBuf = new Uint8Array(Buffer.from(target.publicKeyUncompressed, 'hex'))
  const sealed = JSON.parse(formatHpkeBuf(hpkeEncrypt({ plainTextBuf: secret, targetKeyBuf })))
  const data = Buffer.from(JSON.stringify({ ...sealed, organizationId }))
  return JSON.stringify({
    version: 'v1.0.0',
    data: data.toString('hex'),
    dataSignature: sign('sha256', data, enclave.privateKey).toString('hex'),
    enclaveQuorumPublic: signer,
  })
}

function sealed(chain: Sealed['chain'], address: string, secret: Uint8Array): Sealed {
  return { type: 'sealed', exportBundle: seal(secret), organizationId: 'organization', address, chain }
}

const seed = nacl.randomBytes(32)
const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(seed)
const evmKey = Buffer.alloc(32, 7)
const sol = sealed('SOL', bs58.encode(publicKey), seed)
const evm = sealed('EVM', addr.fromPrivateKey(evmKey), evmKey)
const words: Sealed = { ...sealed('SOL', bs58.encode(await keyOfWords(WORDS, PATH)), Buffer.from(WORDS)), path: PATH }

it('opens the key of the requested account in the form that wallets of its chain import', async () => {
  expect(bs58.decode(await openBundle(sol, target.privateKey, signer))).toEqual(secretKey)
  expect(await openBundle(evm, target.privateKey, signer)).toBe(`0x${evmKey.toString('hex')}`)
})

it('opens bundles of either key while one replaces another, and of no third', async () => {
  const [next, third] = [generateP256KeyPair().publicKeyUncompressed, generateP256KeyPair().publicKeyUncompressed]
  for (const keys of [`${signer},${next}`, `${next},${signer}`])
    expect(bs58.decode(await openBundle(sol, target.privateKey, keys))).toEqual(secretKey)
  await expect(openBundle(sol, target.privateKey, `${next},${third}`)).rejects.toThrow()
  const parentOrigins = ['https://example.com']
  expect(readExportConfiguration({ parentOrigins, signerPublicKey: `${signer},${next}` }).signerPublicKey).toContain(
    next,
  )
})

it('derives the key that Solana wallets derive from the same words', async () => {
  expect(words.address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
  expect(bs58.encode(await keyOfWords(WORDS, "m/44'/501'/1'/0'"))).not.toBe(words.address)
})

it('opens the recovery phrase of a wallet only if the phrase leads to the requested account', async () => {
  expect(await openBundle(words, target.privateKey, signer)).toBe(WORDS)
  for (const wrong of [
    { ...words, address: bs58.encode(new Uint8Array(32).fill(7)) },
    { ...words, path: "m/44'/501'/9'/0'" },
    { ...words, organizationId: 'another' },
    { ...words, exportBundle: sol.exportBundle },
    { ...sol, exportBundle: words.exportBundle },
  ])
    await expect(openBundle(wrong, target.privateKey, signer)).rejects.toThrow()
})

it('refuses a bundle of another window, organization, account or signer', async () => {
  const { privateKey } = target
  const other = generateP256KeyPair()
  const refused: readonly (readonly [Sealed, string, string | undefined])[] = [
    [sol, other.privateKey, signer],
    [{ ...sol, organizationId: 'another' }, privateKey, signer],
    [{ ...sol, exportBundle: sol.exportBundle.replace(/"data":"../, '"data":"20') }, privateKey, signer],
    [{ ...sol, exportBundle: 'no bundle' }, privateKey, signer],
    [sol, privateKey, other.publicKeyUncompressed],
    // Without a configured signer, only Turnkey's own key counts.
    [sol, privateKey, undefined],
    [{ ...sol, address: bs58.encode(new Uint8Array(32).fill(7)) }, privateKey, signer],
    [{ ...evm, address: '0xdf90dea0e0bf5ca6d2a7f0cb86874ba6714f463e' }, privateKey, signer],
  ]
  for (const wrong of refused) await expect(openBundle(...wrong)).rejects.toThrow()
})

it.each([
  ['nothing', null],
  ['no origins', { parentOrigins: [] }],
  ['an origin that is none', { parentOrigins: ['null'] }],
  ['an origin with a path', { parentOrigins: ['https://example.com/app'] }],
  ['a key that is none', { parentOrigins: ['https://example.com'], signerPublicKey: '04' }],
  ['an unknown field', { parentOrigins: ['https://example.com'], connect: '*' }],
])('the export window does not start with %s in its configuration', (_, configuration) =>
  expect(() => readExportConfiguration(configuration)).toThrow(/configuration is wrong/),
)
