/** Turnkey's own client, unchanged, over every call that the kit uses. */
import { createPublicKey, verify } from 'node:crypto'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { decryptCredentialBundle, decryptExportBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import { getSignatureFromActivity, getSignaturesFromActivity } from '@turnkey/http'
import bs58 from 'bs58'
import { addr, Transaction as EthereumTransaction, verifyTyped } from 'micro-eth-signer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressOf, derive } from '../src/keys/derive.js'
import {
  apiClient,
  attest,
  ETHEREUM,
  type Person,
  passkeyClient,
  RP_ID,
  SOLANA,
  startWorld,
  type World,
} from './world.js'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.person()
}, 120_000)
afterAll(() => world.stop())

function request<T extends string, P>(type: T, parameters: P) {
  return { type, timestampMs: world.now(), organizationId: ann.organizationId, parameters }
}

function raw(payload: string, signWith = ann.addresses[0]) {
  return {
    signWith,
    payload,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' as const,
  }
}

function verifyEd25519(address: string, message: Uint8Array, signature: string): boolean {
  const x = Buffer.from(bs58.decode(address)).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, Buffer.from(signature, 'hex'))
}

it('whoami finds the user by organisation, or by the parent organisation if the organisation is unknown', async () => {
  const expected = { organizationId: ann.organizationId, userId: ann.userId, username: ann.email }
  expect(await ann.client.getWhoami({ organizationId: ann.organizationId })).toMatchObject(expected)
  expect(await ann.client.getWhoami({ organizationId: world.custody.organizationId })).toMatchObject(expected)
})

it('derives the wallet’s accounts from its mnemonic by SLIP-10 and BIP-32', async () => {
  const { wallets } = await ann.client.getWallets({ organizationId: ann.organizationId })
  expect(wallets).toMatchObject([{ walletId: ann.walletId, walletName: 'Wallet', exported: false }])
  const target = generateP256KeyPair()
  const { activity } = await ann.client.exportWallet(
    request('ACTIVITY_TYPE_EXPORT_WALLET', { walletId: ann.walletId, targetPublicKey: target.publicKeyUncompressed }),
  )
  const mnemonic = await decryptExportBundle({
    exportBundle: activity.result.exportWalletResult?.exportBundle ?? '',
    embeddedKey: target.privateKey,
    organizationId: ann.organizationId,
    dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
    returnMnemonic: true,
  })
  expect(mnemonic.split(' ')).toHaveLength(12)
  const seed = mnemonicToSeedSync(mnemonic)
  const addresses = [SOLANA, ETHEREUM].map(({ curve, path, addressFormat }) =>
    addressOf(derive(seed, curve, path).publicKey, curve, addressFormat),
  )
  expect(addresses).toEqual(ann.addresses)
  const { wallets: after } = await ann.client.getWallets({ organizationId: ann.organizationId })
  expect(after[0]?.exported).toBe(true)
})

it('derives the keys of the published SLIP-10 and BIP-32 test vectors', () => {
  const seed = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  expect(hex(derive(seed, 'CURVE_ED25519', "m/0'/1'/2'").privateKey)).toBe(
    '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9',
  )
  expect(hex(derive(seed, 'CURVE_SECP256K1', "m/0'/1/2'").privateKey)).toBe(
    'cbce0d719ecf7431d88e6a89fa1483e02e35092af60c042b1df2ff59fa424dca',
  )
})

it('signs a Solana transaction that web3.js verifies', async () => {
  const [address] = ann.addresses
  const from = Keypair.generate().publicKey
  const feePayer = new (Object.getPrototypeOf(from).constructor)(address)
  const transaction = new Transaction({
    feePayer,
    blockhash: bs58.encode(Buffer.alloc(32, 7)),
    lastValidBlockHeight: 1,
  }).add(SystemProgram.transfer({ fromPubkey: feePayer, toPubkey: from, lamports: 1 }))
  const unsigned = transaction.serialize({ requireAllSignatures: false }).toString('hex')
  const { activity } = await ann.client.signTransaction(
    request('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: address,
      unsignedTransaction: unsigned,
      type: 'TRANSACTION_TYPE_SOLANA',
    }),
  )
  expect(activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
  const signed = activity.result.signTransactionResult?.signedTransaction ?? ''
  expect(Transaction.from(Buffer.from(signed, 'hex')).verifySignatures()).toBe(true)
})

it('signs an Ethereum transaction and typed data', async () => {
  const [, address] = ann.addresses
  const prepared = EthereumTransaction.prepare({
    to: '0xdf90dea0e0bf5ca6d2a7f0cb86874ba6714f463e',
    value: 1n,
    maxFeePerGas: 10n ** 9n,
    nonce: 0n,
  })
  const { activity } = await ann.client.signTransaction(
    request('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: address,
      unsignedTransaction: prepared.toHex({ includeSignature: false }),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    }),
  )
  const signed = EthereumTransaction.fromHex(activity.result.signTransactionResult?.signedTransaction ?? '')
  expect(signed.recoverSender().address).toBe(address)
  const typed = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'contents', type: 'string' }] },
    primaryType: 'Mail' as const,
    domain: { name: 'Keybay' },
    message: { contents: 'Hello' },
  }
  const answer = await ann.client.signRawPayload(
    request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: address,
      payload: JSON.stringify(typed),
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
  )
  const { r, s, v } = getSignatureFromActivity(answer.activity)
  expect(verifyTyped(`0x${r}${s}${v === '01' ? '1c' : '1b'}`, typed, address)).toBe(true)
})

it('signs raw payloads on both curves', async () => {
  const messages = ['one', 'two'].map(text => Buffer.from(text))
  const { activity } = await ann.client.signRawPayloads(
    request('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith: ann.addresses[0],
      payloads: messages.map(message => message.toString('hex')),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    }),
  )
  const signatures = getSignaturesFromActivity(activity)
  messages.forEach((message, index) => {
    const { r = '', s = '' } = signatures[index] ?? {}
    expect(verifyEd25519(ann.addresses[0], message, r + s)).toBe(true)
  })
  const eth = await ann.client.signRawPayload(
    request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: ann.addresses[1],
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    }),
  )
  const { r, s, v } = getSignatureFromActivity(eth.activity)
  const signature = secp256k1.Signature.fromHex(`${v}${r}${s}`, 'recovered')
  const publicKey = signature.recoverPublicKey(keccak_256(Buffer.from('hello'))).toBytes(true)
  expect(addr.fromPublicKey(publicKey)).toBe(ann.addresses[1])
})

it('creates more accounts by path, more wallets and standalone private keys', async () => {
  const { activity } = await ann.client.createWalletAccounts(
    request('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
      walletId: ann.walletId,
      accounts: [{ ...SOLANA, path: "m/44'/501'/1'/0'" }],
    }),
  )
  const [second = ''] = activity.result.createWalletAccountsResult?.addresses ?? []
  const { accounts } = await ann.client.getWalletAccounts({
    organizationId: ann.organizationId,
    walletId: ann.walletId,
  })
  expect(accounts.map(({ address }) => address)).toEqual(expect.arrayContaining([...ann.addresses, second]))
  const target = generateP256KeyPair()
  const exported = await ann.client.exportWalletAccount(
    request('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', { address: second, targetPublicKey: target.publicKeyUncompressed }),
  )
  const key = await decryptExportBundle({
    exportBundle: exported.activity.result.exportWalletAccountResult?.exportBundle ?? '',
    embeddedKey: target.privateKey,
    organizationId: ann.organizationId,
    dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
    keyFormat: 'SOLANA',
    returnMnemonic: false,
  })
  expect(Keypair.fromSecretKey(bs58.decode(key)).publicKey.toBase58()).toBe(second)
})

it('exports a standalone private key', async () => {
  const made = await ann.client.createPrivateKeys(
    request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: 'Key',
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
        },
      ],
    }),
  )
  const [key] = made.activity.result.createPrivateKeysResultV2?.privateKeys ?? []
  const target = generateP256KeyPair()
  const { activity } = await ann.client.exportPrivateKey(
    request('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
      privateKeyId: key?.privateKeyId ?? '',
      targetPublicKey: target.publicKeyUncompressed,
    }),
  )
  const secret = await decryptExportBundle({
    exportBundle: activity.result.exportPrivateKeyResult?.exportBundle ?? '',
    embeddedKey: target.privateKey,
    organizationId: ann.organizationId,
    dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
    returnMnemonic: false,
  })
  expect(addr.fromPrivateKey(secret)).toBe(key?.addresses?.[0]?.address)
})

it('a session key signs without a passkey until it expires', async () => {
  const key = await world.session(ann, 60)
  const client = apiClient(world.custody.internalUrl, key)
  const sign = (payload: string) => client.signRawPayload(request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', raw(payload)))
  expect((await sign('aa')).activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
  world.custody.clock.advance(60_000)
  await expect(sign('ab')).rejects.toMatchObject({ code: 16, message: expect.stringContaining('expired api key') })
})

it('a read-write session key arrives encrypted to the page that requested the session', async () => {
  const target = generateP256KeyPair()
  const { activity } = await ann.client.createReadWriteSession(
    request('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', { targetPublicKey: target.publicKeyUncompressed }),
  )
  const bundle = activity.result.createReadWriteSessionResultV2?.credentialBundle ?? ''
  const privateKey = decryptCredentialBundle(bundle, target.privateKey)
  const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex')
  const client = apiClient(world.custody.internalUrl, { publicKey, privateKey })
  expect(await client.getWhoami({ organizationId: ann.organizationId })).toMatchObject({ userId: ann.userId })
})

it('a second passkey signs until it is removed', async () => {
  const second = newAuthenticator(RP_ID)
  const { activity } = await ann.client.createAuthenticators(
    request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
      userId: ann.userId,
      authenticators: [attest(second, 'Second')],
    }),
  )
  const authenticatorIds = activity.result.createAuthenticatorsResult?.authenticatorIds ?? []
  const client = passkeyClient(world.custody.internalUrl, second)
  const { user } = await client.getUser({ organizationId: ann.organizationId, userId: ann.userId })
  expect(user.authenticators.map(authenticator => authenticator.authenticatorName).sort()).toEqual([
    'Passkey',
    'Second',
  ])
  await ann.client.deleteAuthenticators(
    request('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId: ann.userId, authenticatorIds }),
  )
  await expect(client.getWhoami({ organizationId: ann.organizationId })).rejects.toMatchObject({ code: 16 })
})

it('recovers a user by email: the code works once, on the page that requested it', async () => {
  const ben = await world.person()
  const embedded = generateP256KeyPair()
  await world.operator.initUserEmailRecovery({
    type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
    timestampMs: world.now(),
    organizationId: ben.organizationId,
    parameters: {
      email: ben.email,
      targetPublicKey: embedded.publicKeyUncompressed,
      emailCustomization: { appName: 'Keybay' },
    },
  })
  const mail = await (await fetch(`${world.inbox.url}/api/messages/latest?to=${ben.email}&wait=20000`)).json()
  const code = /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(mail.text)?.[0] ?? ''
  const privateKey = decryptCredentialBundle(code, embedded.privateKey)
  const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex')
  const client = apiClient(world.custody.internalUrl, { publicKey, privateKey })
  expect(await client.getWhoami({ organizationId: ben.organizationId })).toMatchObject({ userId: ben.userId })
  const phone = newAuthenticator(RP_ID)
  const recover = () =>
    client.recoverUser({
      type: 'ACTIVITY_TYPE_RECOVER_USER',
      timestampMs: world.now(),
      organizationId: ben.organizationId,
      parameters: { userId: ben.userId, authenticator: attest(phone, 'New phone') },
    })
  expect((await recover()).activity.result.recoverUserResult?.authenticatorId).toHaveLength(1)
  await expect(recover()).rejects.toMatchObject({ code: 7 })
  const fresh = passkeyClient(world.custody.internalUrl, phone)
  const signed = await fresh.signRawPayload({
    ...request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', raw('aa', ben.addresses[0])),
    organizationId: ben.organizationId,
  })
  expect(signed.activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
})

it('changes the email address for recovery', async () => {
  await ann.client.updateUserEmail(
    request('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: ann.userId, userEmail: 'ann.new@example.com' }),
  )
  const { user } = await ann.client.getUser({ organizationId: ann.organizationId, userId: ann.userId })
  expect(user.userEmail).toBe('ann.new@example.com')
})
