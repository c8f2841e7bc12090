/** The statement that the session key signs for each message: worthless for any other operation. */
import {
  fromBase64,
  fromHex,
  KeybayError,
  RAW_MESSAGE_LENGTH_CHARACTERS,
  rawMessageLength,
  sha256,
  toBase64Url,
  utf8,
} from '@keybay/kernel/spec'
import { messageMalformed } from './errors.js'
import type { PayloadOf, WaasMessageType } from './messages.js'
import type { Policy } from './wallet.js'

export interface Operation {
  readonly operation: string
  /** The wallet's address. Absent for the list, and before the wallet exists. */
  readonly wallet?: string
  /** base64url SHA-256 of the bytes to sign, or of the JSON of `[operation, ...arguments]`. */
  readonly hash: string
}
type Bytes = Uint8Array<ArrayBuffer>
const SIGNATURE_BYTES = 64

/** Returns the message of a transaction, which follows the signature count (compact-u16) and the signatures. */
function getMessage(transaction: Bytes): Bytes {
  const [low = 0, high = 0] = transaction
  const short = low < 0x80
  const start = short ? 1 + low * SIGNATURE_BYTES : 2 + ((low & 0x7f) | (high << 7)) * SIGNATURE_BYTES
  if ((!short && high >= 0x80) || start >= transaction.length)
    throw new KeybayError(messageMalformed, { detail: 'signTransaction.transaction' })
  return transaction.slice(start)
}

/** The payload's check reports every other wrong length. */
function parseRawMessage(message: string): Bytes {
  try {
    return fromHex(message)
  } catch (cause) {
    if (message.length !== RAW_MESSAGE_LENGTH_CHARACTERS) throw new KeybayError(rawMessageLength)
    throw new KeybayError(messageMalformed, { detail: 'signRawMessage.message', cause })
  }
}

type Arguments = readonly (string | boolean)[]
/** Operations whose name or arguments differ from the message's. */
interface Named {
  readonly operation?: string
  readonly arguments?: Arguments
  readonly list?: true
}
type Describe = { readonly [T in WaasMessageType]?: (payload: PayloadOf<T>) => Named }
const LIST: Named = { operation: 'getWallets', list: true }
const DESCRIBED: Describe = {
  getWallets: () => LIST,
  // The relay is only asked for the list, so the signature allows no more.
  getWallet: () => LIST,
  requiresPasswordForOperation: () => LIST,
  isPasswordEncrypted: () => LIST,
  createWalletAccount: ({ chainName, thresholdSignatureScheme, exportable = true }) => ({
    arguments: [chainName, thresholdSignatureScheme, exportable],
  }),
  importPrivateKey: ({ chainName, thresholdSignatureScheme }) => ({ arguments: [chainName, thresholdSignatureScheme] }),
  reshare: ({ oldThresholdSignatureScheme, newThresholdSignatureScheme }) => ({
    arguments: [oldThresholdSignatureScheme, newThresholdSignatureScheme],
  }),
  // Both messages make the same request to the relay.
  backupKeySharesToGoogleDrive: () => ({ operation: 'backupKeyShares' }),
  verifyBackup: () => LIST,
  // Key, name and rules: a signature for one server, or for narrow rules, is worthless for any other.
  delegateKeyShares: ({ delegatePublicKey, delegateName = '', policy = null }) => ({
    arguments: [toBase64Url(Uint8Array.from(delegatePublicKey)), delegateName, policyText(policy)],
  }),
  restoreBackup: ({ mode }) => ({ operation: mode === 'replace-device' ? 'replaceDevice' : 'addDevice' }),
  restoreBackupFromGoogleDrive: () => ({ operation: 'addDevice' }),
  revokeSet: ({ setId }) => ({ arguments: [setId] }),
  setPolicy: ({ setId, policy }) => ({ arguments: [setId, policyText(policy)] }),
}
type Signed = { readonly [T in WaasMessageType]?: (payload: PayloadOf<T>) => Bytes }
const SIGNED: Signed = {
  signMessage: ({ message }) => (typeof message === 'string' ? utf8(message) : Uint8Array.from(message)),
  signRawMessage: ({ message }) => parseRawMessage(message),
  // A Solana transaction has its signatures in front; other chains sign all bytes.
  signTransaction: ({ chainName, transaction }) =>
    chainName === 'SOL' ? getMessage(fromBase64(transaction)) : Uint8Array.from(fromBase64(transaction)),
  signTypedData: ({ typedData }) => utf8(typedData),
}

function addressOf(payload: object): string | undefined {
  const address: unknown = Reflect.get(payload, 'accountAddress') ?? Reflect.get(payload, 'senderAddress')
  return typeof address === 'string' ? address : undefined
}

/**
 * @throws KeybayError `message_malformed` for bytes that are no transaction
 * @example const signedSessionId = await account.signSession(await operationOf('signMessage', payload))
 */
export async function operationOf<const T extends WaasMessageType>(
  type: T,
  payload: Omit<PayloadOf<T>, 'signedSessionId' | 'authToken' | 'mfaToken' | 'signedMfa'> & object,
): Promise<Operation> {
  const bytes = SIGNED[type]?.(payload)
  const { operation = type, arguments: args = [], list } = DESCRIBED[type]?.(payload) ?? {}
  const wallet = list ? undefined : addressOf(payload)
  const hash = toBase64Url(await sha256(bytes ?? utf8(JSON.stringify([operation, ...args]))))
  return { operation, ...(wallet !== undefined && { wallet }), hash }
}

/** Writes amounts as decimal text and fields in the relay's order, so that all parties produce the same JSON. */
export function wirePolicy({ dailyLimit, transactionLimit, programs, tokens, ...rest }: Policy): object {
  return {
    dailyLimit: dailyLimit?.toString(),
    transactionLimit: transactionLimit?.toString(),
    programs: programs.map(({ programId, instructions, uncapped }) => ({ programId, instructions, uncapped })),
    destinations: rest.destinations,
    messages: rest.messages,
    expiresAt: rest.expiresAt,
    otherwise: rest.otherwise,
    origin: rest.origin,
    tokens: tokens?.map(({ mint, decimals, dailyLimit }) => ({ mint, decimals, dailyLimit: dailyLimit.toString() })),
  }
}

function policyText(policy: Policy | null): string {
  return JSON.stringify(policy && wirePolicy(policy))
}
