/** Payloads of the wallet operations (S3.7), and their checks at the frame's boundary (S5.3, S5.7, S5.9). */
import { firstWrongField, optional, type Rule, type Rules, text } from './check.js'
import { RAW_MESSAGE_LENGTH_CHARACTERS } from './constants.js'
import {
  type Chain,
  isChain,
  isThresholdSignatureScheme,
  isWalletOperation,
  type ThresholdSignatureScheme,
  type WalletOperation,
} from './enumerations.js'
import { type ErrorSpec, KeybayError } from './errors.js'
import { authorityMissing, displayContainerMissing, rawMessageLength, recordInvalid } from './validation-errors.js'

/** Fields of every payload. */
export interface ChainPayload {
  readonly chainName: Chain
}
/** Fields that authorize an operation. All three are secrets, and so is `password`. */
export interface AuthorisedPayload extends ChainPayload {
  readonly signedSessionId: string
  readonly authToken: string
  /** Single-use token for the matching MFA action. */
  readonly mfaToken?: string | undefined
  readonly password?: string | undefined
}
/** Operation on one account. */
export interface AccountPayload extends AuthorisedPayload {
  readonly accountAddress: string
}

export interface GetWalletPayload extends AccountPayload {
  readonly walletOperation?: WalletOperation | undefined
}
export interface CreateWalletAccountPayload extends AuthorisedPayload {
  readonly thresholdSignatureScheme: ThresholdSignatureScheme
}
export interface SignMessagePayload extends AccountPayload {
  readonly message: string
}
/** `message` is exactly 64 characters: 32 bytes as hex. */
export interface SignRawMessagePayload extends SignMessagePayload {}
export interface SignTransactionPayload extends AuthorisedPayload {
  readonly senderAddress: string
  /** Serialized transaction, as base64. */
  readonly transaction: string
}
export interface SignTypedDataPayload extends AccountPayload {
  readonly typedData: string
}
export interface ResharePayload extends AccountPayload {
  readonly oldThresholdSignatureScheme: ThresholdSignatureScheme
  readonly newThresholdSignatureScheme: ThresholdSignatureScheme
}
export interface UpdatePasswordPayload extends Omit<AccountPayload, 'password'> {
  readonly existingPassword: string
  readonly newPassword: string
}
export interface ImportPrivateKeyPayload extends AuthorisedPayload {
  readonly privateKey: string
  readonly thresholdSignatureScheme: ThresholdSignatureScheme
}
/** Content of `base64Args`. Works offline, so it needs no authorization. */
export interface OfflineExportPrivateKeyArguments {
  readonly keyShares: readonly string[]
  readonly derivationPath?: string | undefined
  /** Passwords of encrypted shares. Secret. */
  readonly passwords?: readonly string[] | undefined
}
export interface OfflineExportPrivateKeyPayload extends ChainPayload {
  /** Base64 of the JSON of `OfflineExportPrivateKeyArguments`. */
  readonly base64Args: string
}
/** Payload on the caller's side; the element itself never crosses the frame's boundary. */
export interface DisplayPayload extends AccountPayload {
  readonly displayContainer: HTMLElement
}

/** Maps each operation to its payload, for operations whose fields the specification defines. */
export interface OperationPayloads {
  readonly getWallet: GetWalletPayload
  readonly createWalletAccount: CreateWalletAccountPayload
  readonly signMessage: SignMessagePayload
  readonly signRawMessage: SignRawMessagePayload
  readonly signTransaction: SignTransactionPayload
  readonly signTypedData: SignTypedDataPayload
  readonly reshare: ResharePayload
  readonly updatePassword: UpdatePasswordPayload
  readonly importPrivateKey: ImportPrivateKeyPayload
  readonly offlineExportPrivateKey: OfflineExportPrivateKeyPayload
  readonly restoreBackupFromGoogleDrive: DisplayPayload
  readonly exportPrivateKey: DisplayPayload
}
export type OperationName = keyof OperationPayloads

/** Checks the structure, because an element from another window fails `instanceof`. */
const element: Rule<HTMLElement> = (value): value is HTMLElement =>
  typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 1
/** Message to sign; may be empty. */
const message: Rule<string> = (value): value is string => typeof value === 'string'
const rawMessage: Rule<string> = (value): value is string =>
  text(value) && value.length === RAW_MESSAGE_LENGTH_CHARACTERS
const json: Rule<string> = (value): value is string => {
  if (!text(value)) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

function createRules(): { readonly [Name in OperationName]: Rules<OperationPayloads[Name]> } {
  const secrets = { signedSessionId: text, authToken: text, mfaToken: optional(text) }
  const authorised = { chainName: isChain, ...secrets, password: optional(text) }
  const account = { ...authorised, accountAddress: text }
  const display = { ...account, displayContainer: element }
  return {
    getWallet: { ...account, walletOperation: optional(isWalletOperation) },
    createWalletAccount: { ...authorised, thresholdSignatureScheme: isThresholdSignatureScheme },
    signMessage: { ...account, message },
    signRawMessage: { ...account, message: rawMessage },
    signTransaction: { ...authorised, senderAddress: text, transaction: text },
    signTypedData: { ...account, typedData: json },
    reshare: {
      ...account,
      oldThresholdSignatureScheme: isThresholdSignatureScheme,
      newThresholdSignatureScheme: isThresholdSignatureScheme,
    },
    updatePassword: { chainName: isChain, ...secrets, accountAddress: text, existingPassword: text, newPassword: text },
    importPrivateKey: { ...authorised, privateKey: text, thresholdSignatureScheme: isThresholdSignatureScheme },
    offlineExportPrivateKey: { chainName: isChain, base64Args: text },
    restoreBackupFromGoogleDrive: display,
    exportPrivateKey: display,
  }
}

/** Fields that have their own error in the specification when missing. */
const AUTHORITY = /* @__PURE__ */ new Set(['accountAddress', 'senderAddress', 'signedSessionId', 'authToken'])

function getError(field: string): ErrorSpec {
  return AUTHORITY.has(field)
    ? authorityMissing
    : field === 'displayContainer'
      ? displayContainerMissing
      : recordInvalid
}

/**
 * Checks the payload of one operation: every field is present and valid, and there are no others.
 *
 * @throws KeybayError `authority_missing` (S5.7), `display_container_missing` (S5.9), `raw_message_length` (S5.3),
 *   or `record_invalid`. The detail names the field, never its value: it may be a secret.
 * @example
 * checkOperationPayload('signMessage', payload) // from here on `payload` is a SignMessagePayload
 */
export function checkOperationPayload<Name extends OperationName>(
  name: Name,
  payload: unknown,
): asserts payload is OperationPayloads[Name] {
  const field = firstWrongField<OperationPayloads[Name]>(createRules()[name], payload)
  if (field === undefined) return
  if (name === 'signRawMessage' && field === 'message') throw new KeybayError(rawMessageLength)
  throw new KeybayError(getError(field), { detail: `${name}.${field}` })
}
