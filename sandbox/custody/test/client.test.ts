/** Turnkey's own client, unchanged, over every call that the kit uses. */
import { createPublicKey, verify } from 'node:crypto'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { decryptExportBundle, generateP256KeyPair } from '@turnkey/crypto'
import { getSignatureFromActivity, getSignaturesFromActivity } from '@turnkey/http'
import bs58 from 'bs58'
import { addr, Transaction as EthereumTransaction, verifyTyped } from 'micro-eth-signer'
import { afterAll, expect, it } from 'vitest'
import { addressOf, derive } from '../src/keys/derive.js'
import { attest, COMPLETED, ETHEREUM, openCredential, RP_ID, SIGN, SOLANA, startWorld } from './world.js'

const world = await startWorld()
const ann = await world.user()
afterAll(() => world.stop())
const { client, request, organizationId, userId, walletId } = ann
const [solana, ethereum] = ann.addresses

function verifyEd25519(address: string, message: Uint8Array, signature: string): boolean {
  const x = Buffer.from(bs58.decode(address)).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, Buffer.from(signature, 'hex'))
}

function openExport(bundle: string | undefined, embeddedKey: string, format: { keyFormat?: 'SOLANA' } = {}) {
  const { signerPublicKey: dangerouslyOverrideSignerPublicKey } = world.custody
  const sealed = { exportBundle: bundle ?? '', embeddedKey, organizationId, dangerouslyOverrideSignerPublicKey }
  return decryptExportBundle({ ...sealed, ...format, returnMnemonic: false })
}

it('whoami finds the user by organization, or by the parent organization if the organization is unknown', async () => {
  const expected = { organizationId, userId, username: ann.email }
  expect(await client.getWhoami({ organizationId })).toMatchObject(expected)
  expect(await client.getWhoami({ organizationId: world.custody.organizationId })).toMatchObject(expected)
})

it('derives the wallet’s accounts from its mnemonic by SLIP-10 and BIP-32', async () => {
  const { wallets } = await client.getWallets({ organizationId })
  expect(wallets).toMatchObject([{ walletId, walletName: 'Wallet', exported: false }])
  const target = generateP256KeyPair()
  const { activity } = await client.exportWallet(ann.exportRequest(target.publicKeyUncompressed))
  const mnemonic = await decryptExportBundle({
    exportBundle: activity.result.exportWalletResult?.exportBundle ?? '',
    embeddedKey: target.privateKey,
    organizationId,
    dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
    returnMnemonic: true,
  })
  expect(mnemonic.split(' ')).toHaveLength(12)
  const seed = mnemonicToSeedSync(mnemonic)
  const addresses = [SOLANA, ETHEREUM].map(({ curve, path, addressFormat }) =>
    addressOf(derive(seed, curve, path).publicKey, curve, addressFormat),
  )
  expect(addresses).toEqual(ann.addresses)
  expect((await client.getWallets({ organizationId })).wallets[0]?.exported).toBe(true)
})

it.each([
  ['CURVE_ED25519', "m/0'/1'/2'", '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9'],
  ['CURVE_SECP256K1', "m/0'/1/2'", 'cbce0d719ecf7431d88e6a89fa1483e02e35092af60c042b1df2ff59fa424dca'],
] as const)('derives the keys of the published SLIP-10 and BIP-32 test vectors: %s', (curve, path, expected) => {
  const seed = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  expect(Buffer.from(derive(seed, curve, path).privateKey).toString('hex')).toBe(expected)
})

it('signs a Solana transaction that web3.js verifies', async () => {
  const feePayer = new PublicKey(solana)
  const toPubkey = Keypair.generate().publicKey
  const blockhash = bs58.encode(Buffer.alloc(32, 7))
  const transaction = new Transaction({ feePayer, blockhash, lastValidBlockHeight: 1 }).add(
    SystemProgram.transfer({ fromPubkey: feePayer, toPubkey, lamports: 1 }),
  )
  const unsignedTransaction = transaction.serialize({ requireAllSignatures: false }).toString('hex')
  const parameters = { signWith: solana, unsignedTransaction, type: 'TRANSACTION_TYPE_SOLANA' } as const
  const { activity } = await client.signTransaction(request('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters))
  expect(activity.status).toBe(COMPLETED)
  const signed = activity.result.signTransactionResult?.signedTransaction ?? ''
  expect(Transaction.from(Buffer.from(signed, 'hex')).verifySignatures()).toBe(true)
})

it('signs an Ethereum transaction and typed data', async () => {
  const to = '0xdf90dea0e0bf5ca6d2a7f0cb86874ba6714f463e'
  const prepared = EthereumTransaction.prepare({ to, value: 1n, maxFeePerGas: 10n ** 9n, nonce: 0n })
  const { activity } = await client.signTransaction(
    request('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: ethereum,
      unsignedTransaction: prepared.toHex({ includeSignature: false }),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    }),
  )
  const signed = EthereumTransaction.fromHex(activity.result.signTransactionResult?.signedTransaction ?? '')
  expect(signed.recoverSender().address).toBe(ethereum)
  const typed = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'contents', type: 'string' }] },
    primaryType: 'Mail' as const,
    domain: { name: 'Keybay' },
    message: { contents: 'Hello' },
  }
  const how = { encoding: 'PAYLOAD_ENCODING_EIP712', hashFunction: 'HASH_FUNCTION_NO_OP' } as const
  const parameters = { signWith: ethereum, payload: JSON.stringify(typed), ...how }
  const answer = await client.signRawPayload(request(SIGN, parameters))
  const { r, s, v } = getSignatureFromActivity(answer.activity)
  expect(verifyTyped(`0x${r}${s}${v === '01' ? '1c' : '1b'}`, typed, ethereum)).toBe(true)
})

it('signs raw payloads on both curves', async () => {
  const messages = ['one', 'two'].map(text => Buffer.from(text))
  const { payload: _, ...how } = ann.signature('').parameters
  const parameters = { ...how, payloads: messages.map(message => message.toString('hex')) }
  const { activity } = await client.signRawPayloads(request('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', parameters))
  const signatures = getSignaturesFromActivity(activity)
  messages.forEach((message, index) => {
    const { r = '', s = '' } = signatures[index] ?? {}
    expect(verifyEd25519(solana, message, r + s)).toBe(true)
  })
  const hashed = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_KECCAK256' } as const
  const eth = await client.signRawPayload(request(SIGN, { signWith: ethereum, payload: 'hello', ...hashed }))
  const { r, s, v } = getSignatureFromActivity(eth.activity)
  const signature = secp256k1.Signature.fromHex(`${v}${r}${s}`, 'recovered')
  const publicKey = signature.recoverPublicKey(keccak_256(Buffer.from('hello'))).toBytes(true)
  expect(addr.fromPublicKey(publicKey)).toBe(ethereum)
})

it('creates more accounts by path, more wallets and standalone private keys', async () => {
  const added = { walletId, accounts: [{ ...SOLANA, path: "m/44'/501'/1'/0'" }] }
  const { activity } = await client.createWalletAccounts(request('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', added))
  const [address = ''] = activity.result.createWalletAccountsResult?.addresses ?? []
  const { accounts } = await client.getWalletAccounts({ organizationId, walletId })
  expect(accounts.map(account => account.address)).toEqual(expect.arrayContaining([...ann.addresses, address]))
  const target = generateP256KeyPair()
  const parameters = { address, targetPublicKey: target.publicKeyUncompressed }
  const { result } = (await client.exportWalletAccount(request('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', parameters)))
    .activity
  const bundle = result.exportWalletAccountResult?.exportBundle
  const key = await openExport(bundle, target.privateKey, { keyFormat: 'SOLANA' })
  expect(Keypair.fromSecretKey(bs58.decode(key)).publicKey.toBase58()).toBe(address)
})

it('exports a standalone private key', async () => {
  const keyParams = {
    privateKeyName: 'Key',
    curve: 'CURVE_SECP256K1' as const,
    privateKeyTags: [],
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
  }
  const made = await client.createPrivateKeys(
    request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [keyParams] }),
  )
  const [key] = made.activity.result.createPrivateKeysResultV2?.privateKeys ?? []
  const target = generateP256KeyPair()
  const parameters = { privateKeyId: key?.privateKeyId ?? '', targetPublicKey: target.publicKeyUncompressed }
  const { activity } = await client.exportPrivateKey(request('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', parameters))
  const secret = await openExport(activity.result.exportPrivateKeyResult?.exportBundle, target.privateKey)
  expect(addr.fromPrivateKey(secret)).toBe(key?.addresses?.[0]?.address)
})

it('a session key signs without a passkey until it expires', async () => {
  const session = world.clientOf(await world.session(ann, 60))
  expect((await session.signRawPayload(ann.signature('aa'))).activity.status).toBe(COMPLETED)
  world.custody.clock.advance(60_000)
  await expect(session.signRawPayload(ann.signature('ab'))).rejects.toMatchObject({
    code: 16,
    message: expect.stringContaining('expired api key'),
  })
})

it('a read-write session key arrives encrypted to the page that requested the session', async () => {
  const target = generateP256KeyPair()
  const parameters = { targetPublicKey: target.publicKeyUncompressed }
  const { activity } = await client.createReadWriteSession(
    request('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', parameters),
  )
  const bundle = activity.result.createReadWriteSessionResultV2?.credentialBundle
  const session = world.clientOf(openCredential(bundle, target.privateKey))
  expect(await session.getWhoami({ organizationId })).toMatchObject({ userId })
})

it('a second passkey signs until it is removed', async () => {
  const second = newAuthenticator(RP_ID)
  const parameters = { userId, authenticators: [attest(second, 'Second')] }
  const { activity } = await client.createAuthenticators(request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', parameters))
  const authenticatorIds = activity.result.createAuthenticatorsResult?.authenticatorIds ?? []
  const bySecond = world.clientBy(second)
  const { user } = await bySecond.getUser({ organizationId, userId })
  const names = user.authenticators.map(({ authenticatorName }) => authenticatorName)
  expect(names.sort()).toEqual(['Passkey', 'Second'])
  await client.deleteAuthenticators(request('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId, authenticatorIds }))
  await expect(bySecond.getWhoami({ organizationId })).rejects.toMatchObject({ code: 16 })
})

it('recovers a user by email: the code works once, on the page that requested it', async () => {
  const ben = await world.user()
  const recovering = await world.recovering(ben)
  expect(await recovering.getWhoami({ organizationId: ben.organizationId })).toMatchObject({ userId: ben.userId })
  const phone = newAuthenticator(RP_ID)
  const recover = () => {
    const parameters = { userId: ben.userId, authenticator: attest(phone, 'New phone') }
    return recovering.recoverUser(ben.request('ACTIVITY_TYPE_RECOVER_USER', parameters))
  }
  expect((await recover()).activity.result.recoverUserResult?.authenticatorId).toHaveLength(1)
  await expect(recover()).rejects.toMatchObject({ code: 7 })
  const signed = await world.clientBy(phone).signRawPayload(ben.signature('aa'))
  expect(signed.activity.status).toBe(COMPLETED)
})

it('changes the email address for recovery', async () => {
  const userEmail = 'ann.new@example.com'
  await client.updateUserEmail(request('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail }))
  expect((await client.getUser({ organizationId, userId })).user.userEmail).toBe(userEmail)
})
