/** Lists what the approver agrees to: type → fields → demand. Every other type, version, field and value is refused. */
import type { MfaAction } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { base64url } from '../http/fields.js'

const TRANSPORTS = [
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
] as const

export const passkeyFields = {
  challenge: base64url(128),
  attestation: v.strictObject({
    credentialId: base64url(1400),
    clientDataJson: base64url(4096),
    attestationObject: base64url(16_384),
    transports: v.pipe(v.array(v.picklist(TRANSPORTS)), v.maxLength(8)),
  }),
}

/** Key that custody seals to: uncompressed P-256. */
export const targetPublicKey = v.pipe(v.string(), v.regex(/^04[0-9a-f]{128}$/), v.description('65 bytes, hex'))

export interface Agreement {
  /** Name of the parameters in the activity. */
  readonly intent: string
  /** If absent, the owner's own passkey must have stamped the activity; if set, a session key is enough. */
  readonly bySessionKey?: true
  /** Second factor that the owner must prove first, where the environment demands it. */
  readonly demand: MfaAction | 'nothing'
  /** @param ownerId the wallet owner's root user, the only user that an activity may name */
  fields(ownerId: string): v.GenericSchema
}

const MAX_SESSION_SECONDS = 24 * 60 * 60
const MAX_ACCOUNTS = 8

const id = v.pipe(v.string(), v.uuid())
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(256))
const address = v.pipe(v.string(), v.regex(/^(0x[\da-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/))
const signWith = v.union([address, id])
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(65_536))
const sessionSeconds = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,5}$/),
  v.check(seconds => Number(seconds) <= MAX_SESSION_SECONDS),
)
const how = {
  encoding: v.picklist(['PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8', 'PAYLOAD_ENCODING_EIP712']),
  hashFunction: v.picklist([
    'HASH_FUNCTION_NO_OP',
    'HASH_FUNCTION_SHA256',
    'HASH_FUNCTION_KECCAK256',
    'HASH_FUNCTION_NOT_APPLICABLE',
  ]),
}
const encryptedBundle = v.pipe(v.string(), v.minLength(1), v.maxLength(4096))
const curve = v.picklist(['CURVE_ED25519', 'CURVE_SECP256K1'])
const addressFormat = v.picklist(['ADDRESS_FORMAT_SOLANA', 'ADDRESS_FORMAT_ETHEREUM'])
const account = v.strictObject({
  curve,
  pathFormat: v.literal('PATH_FORMAT_BIP32'),
  path: v.pipe(v.string(), v.maxLength(128), v.regex(/^m(\/\d{1,10}'?)+$/)),
  addressFormat,
})
const accounts = v.pipe(v.array(account), v.minLength(1), v.maxLength(MAX_ACCOUNTS))

const SIGN = { bySessionKey: true, demand: 'wallet.waas.sign' } as const
const EXPORT = { demand: 'wallet.waas.export' } as const
const CHANGE = { demand: 'user.update' } as const

export const AGREEMENTS: Readonly<Record<string, Agreement>> = {
  ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2: {
    intent: 'createReadWriteSessionIntentV2',
    // The activities that the session key signs demand the second factor themselves.
    demand: 'nothing',
    fields: ownerId =>
      v.strictObject({
        targetPublicKey,
        userId: v.optional(v.literal(ownerId)),
        apiKeyName: v.optional(name),
        expirationSeconds: v.optional(sessionSeconds),
        invalidateExisting: v.optional(v.boolean()),
      }),
  },
  ACTIVITY_TYPE_SIGN_TRANSACTION_V2: {
    ...SIGN,
    intent: 'signTransactionIntentV2',
    fields: () =>
      v.strictObject({
        signWith,
        unsignedTransaction: text,
        type: v.picklist(['TRANSACTION_TYPE_SOLANA', 'TRANSACTION_TYPE_ETHEREUM']),
      }),
  },
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: {
    ...SIGN,
    intent: 'signRawPayloadIntentV2',
    fields: () => v.strictObject({ signWith, payload: text, ...how }),
  },
  ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: {
    ...SIGN,
    intent: 'signRawPayloadsIntent',
    fields: () =>
      v.strictObject({ signWith, payloads: v.pipe(v.array(text), v.minLength(1), v.maxLength(64)), ...how }),
  },
  ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS: {
    ...CHANGE,
    bySessionKey: true,
    intent: 'createWalletAccountsIntent',
    fields: () => v.strictObject({ walletId: id, accounts }),
  },
  ACTIVITY_TYPE_EXPORT_WALLET: {
    ...EXPORT,
    intent: 'exportWalletIntent',
    fields: () =>
      v.strictObject({ walletId: id, targetPublicKey, language: v.optional(v.literal('MNEMONIC_LANGUAGE_ENGLISH')) }),
  },
  ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT: {
    ...EXPORT,
    intent: 'exportWalletAccountIntent',
    fields: () => v.strictObject({ address, targetPublicKey }),
  },
  ACTIVITY_TYPE_EXPORT_PRIVATE_KEY: {
    ...EXPORT,
    intent: 'exportPrivateKeyIntent',
    fields: () => v.strictObject({ privateKeyId: id, targetPublicKey }),
  },
  // The key that an import is sealed to. The import itself demands the second factor.
  ACTIVITY_TYPE_INIT_IMPORT_WALLET: {
    intent: 'initImportWalletIntent',
    demand: 'nothing',
    fields: ownerId => v.strictObject({ userId: v.literal(ownerId) }),
  },
  ACTIVITY_TYPE_IMPORT_WALLET: {
    ...CHANGE,
    intent: 'importWalletIntent',
    fields: ownerId => v.strictObject({ userId: v.literal(ownerId), walletName: name, encryptedBundle, accounts }),
  },
  ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: {
    intent: 'initImportPrivateKeyIntent',
    demand: 'nothing',
    fields: ownerId => v.strictObject({ userId: v.literal(ownerId) }),
  },
  ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: {
    ...CHANGE,
    intent: 'importPrivateKeyIntent',
    fields: ownerId =>
      v.strictObject({
        userId: v.literal(ownerId),
        privateKeyName: name,
        encryptedBundle,
        curve,
        addressFormats: v.pipe(v.array(addressFormat), v.minLength(1), v.maxLength(2)),
      }),
  },
  ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2: {
    ...CHANGE,
    intent: 'createAuthenticatorsIntentV2',
    fields: ownerId =>
      v.strictObject({
        userId: v.literal(ownerId),
        authenticators: v.pipe(v.array(v.strictObject({ authenticatorName: name, ...passkeyFields })), v.length(1)),
      }),
  },
  ACTIVITY_TYPE_UPDATE_USER_EMAIL: {
    ...CHANGE,
    intent: 'updateUserEmailIntent',
    fields: ownerId =>
      v.strictObject({ userId: v.literal(ownerId), userEmail: v.pipe(v.string(), v.maxLength(254), v.email()) }),
  },
}
