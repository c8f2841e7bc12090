/** Imports of wallets and private keys with Turnkey's own client, and attacks on their bundles. */
import { settings } from '@keybay/sandbox-api/testing/client'
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keypair } from '@solana/web3.js'
import {
  decryptExportBundle,
  encryptPrivateKeyToBundle,
  encryptWalletToBundle,
  generateP256KeyPair,
} from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import bs58 from 'bs58'
import { addr } from 'micro-eth-signer'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { addressOf, derive } from '../src/keys/derive.js'
import { makeGuarded } from './guarded.js'
import { COMPLETED, ETHEREUM, newTarget, raw, SIGN, SOLANA, startProductApi, startWorld, type User } from './world.js'

const MINUTE = 60_000
const world = await startWorld()
const api = await startProductApi(world, { local: { ...settings, custody: { enabled: true, secondFactor: true } } })
afterAll(async () => {
  await api.stop()
  await world.stop()
})
afterEach(() => {
  for (const { clock } of [api.api, world.custody]) clock.reset()
})

let names = 0

function refused(turnkeyErrorCode: string, details: object = {}) {
  return { details: [expect.objectContaining({ turnkeyErrorCode, ...details })] }
}
const NO_KEY = refused('FAILED_PRECONDITION')
const WRONG_BUNDLE = refused('BAD_REQUEST', {
  field: 'encryptedBundle',
  expected: 'a bundle for the newest import key',
})

async function importWallet(
  user: User,
  encryptedBundle: string,
  accounts: readonly (typeof SOLANA | typeof ETHEREUM)[],
) {
  const parameters = {
    userId: user.userId,
    walletName: `Imported ${++names}`,
    encryptedBundle,
    accounts: [...accounts],
  }
  const { activity } = await user.client.importWallet(user.request('ACTIVITY_TYPE_IMPORT_WALLET', parameters))
  expect(activity.status).toBe(COMPLETED)
  return activity.result.importWalletResult ?? { walletId: '', addresses: [] }
}

type KeyCurve = 'CURVE_ED25519' | 'CURVE_SECP256K1'
type Format = 'ADDRESS_FORMAT_SOLANA' | 'ADDRESS_FORMAT_ETHEREUM'

async function importKey(user: User, encryptedBundle: string, curve: KeyCurve, addressFormats: Format[] = []) {
  const parameters = { userId: user.userId, privateKeyName: `Key ${++names}`, encryptedBundle, curve, addressFormats }
  const { activity } = await user.client.importPrivateKey(user.request('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', parameters))
  expect(activity.status).toBe(COMPLETED)
  return activity.result.importPrivateKeyResult ?? { privateKeyId: '', addresses: [] }
}

async function sealWallet(user: User, mnemonic = generateMnemonic(wordlist)) {
  return encryptWalletToBundle({ ...(await user.importKey()), mnemonic })
}

async function sealKey(user: User, privateKey: string) {
  return encryptPrivateKeyToBundle({ ...(await user.importKey()), privateKey, keyFormat: 'HEXADECIMAL' })
}

async function sign({ client, organizationId }: { client: TurnkeyClient; organizationId: string }, signWith: string) {
  return (await client.signRawPayload(world.request(organizationId, SIGN, raw(signWith, 'aa')))).activity.status
}

describe.each([12, 24])('a mnemonic of %i words', words => {
  it('is imported with Turnkey’s client, has its addresses, signs, and is exported as it was', async () => {
    const user = await world.user()
    const mnemonic = generateMnemonic(wordlist, (words / 3) * 32)
    const { walletId, addresses } = await importWallet(user, await sealWallet(user, mnemonic), [SOLANA, ETHEREUM])
    const expected = [SOLANA, ETHEREUM].map(({ curve, path, addressFormat }) =>
      addressOf(derive(mnemonicToSeedSync(mnemonic), curve, path).publicKey, curve, addressFormat),
    )
    expect(addresses).toEqual(expected)
    expect(await sign(user, addresses[0] ?? '')).toBe(COMPLETED)
    const { organizationId } = user
    const { wallets } = await user.client.getWallets({ organizationId })
    expect(wallets.find(wallet => wallet.walletId === walletId)).toMatchObject({ imported: true, exported: false })
    expect(wallets.find(wallet => wallet.walletId === user.walletId)).toMatchObject({ imported: false })
    const target = generateP256KeyPair()
    const { activity } = await user.client.exportWallet(
      user.request('ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey: target.publicKeyUncompressed }),
    )
    const opened = await decryptExportBundle({
      exportBundle: activity.result.exportWalletResult?.exportBundle ?? '',
      embeddedKey: target.privateKey,
      organizationId,
      dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
      returnMnemonic: true,
    })
    expect(opened).toBe(mnemonic)
  })
})

it('a Solana key and an Ethereum key are imported with Turnkey’s client, have their addresses, and sign', async () => {
  const user = await world.user()
  const { userId, organizationId } = user
  const { activity } = await user.client.initImportPrivateKey(
    user.request('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId }),
  )
  const pair = Keypair.generate()
  const bundle = await encryptPrivateKeyToBundle({
    privateKey: bs58.encode(pair.secretKey),
    keyFormat: 'SOLANA',
    importBundle: activity.result.initImportPrivateKeyResult?.importBundle ?? '',
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
  })
  const solana = await importKey(user, bundle, 'CURVE_ED25519', ['ADDRESS_FORMAT_SOLANA'])
  expect(solana.addresses).toEqual([{ format: 'ADDRESS_FORMAT_SOLANA', address: pair.publicKey.toBase58() }])
  expect(await sign(user, pair.publicKey.toBase58())).toBe(COMPLETED)
  const { privateKey, address } = addr.random()
  const ethereum = await importKey(user, await sealKey(user, privateKey), 'CURVE_SECP256K1', [
    'ADDRESS_FORMAT_ETHEREUM',
  ])
  expect(ethereum.addresses).toEqual([{ format: 'ADDRESS_FORMAT_ETHEREUM', address }])
  const { privateKeys } = await user.client.getPrivateKeys({ organizationId })
  expect(privateKeys.map(({ imported }) => imported)).toEqual([true, true])
})

it('Turnkey’s client refuses an import key of another enclave, organization or user', async () => {
  const user = await world.user()
  const key = await user.importKey()
  const mnemonic = generateMnemonic(wordlist)
  const wrong = [{ organizationId: 'other' }, { userId: 'other' }, { dangerouslyOverrideSignerPublicKey: newTarget() }]
  for (const field of wrong) await expect(encryptWalletToBundle({ ...key, ...field, mnemonic })).rejects.toThrow()
  expect(
    (await importWallet(user, await encryptWalletToBundle({ ...key, mnemonic }), [SOLANA])).addresses,
  ).toHaveLength(1)
})

describe('attacks on an import', () => {
  it('a bundle for another user’s key opens for no other user, and an import names its own user', async () => {
    const [ann, ben] = [await world.user(), await world.user()]
    const bundle = await sealWallet(ann)
    await expect(importWallet(ben, bundle, [SOLANA])).rejects.toMatchObject(NO_KEY)
    await ben.importKey()
    await expect(importWallet(ben, bundle, [SOLANA])).rejects.toMatchObject(WRONG_BUNDLE)
    await expect(importWallet({ ...ben, userId: ann.userId }, bundle, [SOLANA])).rejects.toMatchObject(
      refused('BAD_REQUEST', { field: 'userId' }),
    )
    await expect(importWallet({ ...ann, client: ben.client }, bundle, [SOLANA])).rejects.toMatchObject({ code: 16 })
    expect((await importWallet(ann, bundle, [SOLANA])).addresses).toHaveLength(1)
  })

  it('a bundle is imported once, also when ten requests send it at once', async () => {
    const user = await world.user()
    const bundle = await sealWallet(user)
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => importWallet(user, bundle, [SOLANA])))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(importWallet(user, bundle, [ETHEREUM])).rejects.toMatchObject(NO_KEY)
    await user.importKey()
    await expect(importWallet(user, bundle, [ETHEREUM])).rejects.toMatchObject(WRONG_BUNDLE)
    expect((await user.client.getWallets({ organizationId: user.organizationId })).wallets).toHaveLength(2)
  })

  it('an import key works for an hour, and the next one replaces it', async () => {
    const user = await world.user()
    const bundle = await sealWallet(user)
    world.custody.clock.advance(61 * MINUTE)
    await expect(importWallet(user, bundle, [SOLANA])).rejects.toMatchObject(NO_KEY)
    await world.custody.sweep()
    const replaced = await sealWallet(user)
    const newest = await sealWallet(user)
    await expect(importWallet(user, replaced, [SOLANA])).rejects.toMatchObject(WRONG_BUNDLE)
    expect((await importWallet(user, newest, [SOLANA])).addresses).toHaveLength(1)
  })

  it.each([
    ['nothing', ''],
    ['words that are none', 'correct horse battery staple correct horse battery staple correct horse battery staple'],
    ['a wrong checksum', 'abandon '.repeat(12).trim()],
    ['a mnemonic of 11 words', 'abandon '.repeat(10).concat('about')],
    ['bytes that are no text', '\u0000\uffff'],
  ])('%s instead of a mnemonic is refused without an echo, and the import key still works', async (_, mnemonic) => {
    const user = await world.user()
    const key = await user.importKey()
    const sent = importWallet(user, await encryptWalletToBundle({ ...key, mnemonic }), [SOLANA])
    const error: unknown = await sent.catch((reason: unknown) => reason)
    expect(error).toMatchObject(refused('BAD_REQUEST', { field: 'encryptedBundle' }))
    expect(JSON.stringify(error)).not.toMatch(/abandon|staple/)
    const right = await encryptWalletToBundle({ ...key, mnemonic: generateMnemonic(wordlist) })
    expect((await importWallet(user, right, [SOLANA])).addresses).toHaveLength(1)
  })

  it.each([
    ['secp256k1 zero', '00'.repeat(32), 'CURVE_SECP256K1'],
    ['the secp256k1 order', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'CURVE_SECP256K1'],
    ['31 bytes on ed25519', '01'.repeat(31), 'CURVE_ED25519'],
    ['64 bytes on ed25519', '01'.repeat(64), 'CURVE_ED25519'],
    ['33 bytes on secp256k1', '01'.repeat(33), 'CURVE_SECP256K1'],
  ] as const)('%s is no private key, and nothing is imported', async (_, key, curve) => {
    const user = await world.user()
    await expect(importKey(user, await sealKey(user, key), curve)).rejects.toMatchObject(
      refused('BAD_REQUEST', { field: 'encryptedBundle', expected: `a private key of ${curve}, 32 bytes` }),
    )
    expect((await user.client.getPrivateKeys({ organizationId: user.organizationId })).privateKeys).toEqual([])
  })

  it('a mnemonic is no private key, a private key is no mnemonic, and an address format of another curve is refused', async () => {
    const user = await world.user()
    await expect(importKey(user, await sealWallet(user), 'CURVE_ED25519')).rejects.toMatchObject({ code: 3 })
    await expect(importWallet(user, await sealKey(user, '02'.repeat(32)), [SOLANA])).rejects.toMatchObject({ code: 3 })
    const bundle = await sealKey(user, '02'.repeat(32))
    await expect(importKey(user, bundle, 'CURVE_SECP256K1', ['ADDRESS_FORMAT_SOLANA'])).rejects.toMatchObject(
      refused('BAD_REQUEST', { field: 'addressFormat' }),
    )
    expect((await importKey(user, bundle, 'CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])).addresses).toHaveLength(1)
  })

  it.each(['', '{}', 'x', '[]', '{"encappedPublic":"04","ciphertext":"00"}'])('%j is no bundle', async bundle => {
    const user = await world.user()
    await user.importKey()
    await expect(importWallet(user, bundle, [SOLANA])).rejects.toMatchObject(WRONG_BUNDLE)
  })

  it('a key or mnemonic that the organization has is refused', async () => {
    const user = await world.user()
    const mnemonic = generateMnemonic(wordlist)
    await importWallet(user, await sealWallet(user, mnemonic), [SOLANA])
    await expect(importWallet(user, await sealWallet(user, mnemonic), [SOLANA])).rejects.toMatchObject(
      refused('RESOURCE_EXISTS'),
    )
    await importKey(user, await sealKey(user, '03'.repeat(32)), 'CURVE_ED25519')
    await expect(importKey(user, await sealKey(user, '03'.repeat(32)), 'CURVE_ED25519')).rejects.toMatchObject(
      refused('RESOURCE_EXISTS'),
    )
    expect((await user.client.getWallets({ organizationId: user.organizationId })).wallets).toHaveLength(2)
  })
})

it('[S6.3] where a second factor guards the wallet, the approver agrees to an import only after the user’s code', async () => {
  const wallet = await makeGuarded(world, api, 'guarded-import@example.com')
  const { owner, ownerId: userId, organizationId, request } = wallet
  const secret = await wallet.enrol()
  const begun = await owner.initImportWallet(request('ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId }))
  const { body } = await wallet.approve(begun.activity)
  const result: { importBundle?: string } = Reflect.get(Object(body.result), 'initImportWalletResult')
  const encryptedBundle = await encryptWalletToBundle({
    mnemonic: generateMnemonic(wordlist),
    importBundle: result.importBundle ?? '',
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
  })
  const parameters = { userId, walletName: 'Imported', encryptedBundle, accounts: [SOLANA] }
  const { activity } = await owner.importWallet(request('ACTIVITY_TYPE_IMPORT_WALLET', parameters))
  expect(await wallet.approve(activity)).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
  expect(await wallet.approve(activity, secret)).toMatchObject({ status: 200, body: { status: COMPLETED } })
})
