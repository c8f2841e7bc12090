/**
 * `KeybayError` and the codes that the kernel raises. One constant per code, marked pure, so that a bundle holds
 * only the messages of its own errors.
 */
import { redactText } from './redact.js'
import { hasShape, quietly } from './shape.js'

/** Stable error code, its message, and the wallet error number (0–11, S3.1) if it has one. */
export interface ErrorSpec<Code extends string = string> {
  readonly code: Code
  readonly message: string
  readonly walletCode?: number
}

/** Declares an error code. Plugins use it for their own codes. */
export function errorSpec<const Code extends string>(
  code: Code,
  message: string,
  walletCode?: number,
): ErrorSpec<Code> {
  return { code, message, walletCode }
}

export interface ErrorFacts {
  readonly cause?: unknown
  readonly connectorId?: string | undefined
  /** Appended to the message after a colon. Never put a secret here. */
  readonly detail?: string
  /** HTTP status, if a server responded. */
  readonly status?: number
  /** More data from the server or the connector, already checked. */
  readonly details?: unknown
}

/**
 * Every error that Keybay throws or reports.
 *
 * @example
 * try { await keybay.connect('wallet-standard:phantom') }
 * catch (error) { if (isKeybayError(error, userRejected)) return; throw error }
 */
export class KeybayError extends Error {
  override readonly name = 'KeybayError'
  // `declare`, because initializers would overwrite the values that the constructor assigns.
  declare readonly code: string
  declare readonly walletCode: number | undefined
  declare readonly connectorId: string | undefined
  declare readonly status: number | undefined
  declare readonly details: unknown
  constructor({ code, message, walletCode }: ErrorSpec, { detail, cause, ...facts }: ErrorFacts = {}) {
    super(detail ? `${message}: ${detail}` : message, { cause })
    Object.assign(this, { code, walletCode }, facts)
  }
  /** Path in `node_modules` of the page that documents this package's error codes. */
  get docs(): string {
    return '@keybay/kernel/README.md#errors'
  }
  /** Form that crosses frames, workers and logs; omits cause and stack. */
  toJSON(): SerializedError {
    return { ...this, message: this.message }
  }
}
export interface SerializedError {
  readonly name: string
  readonly code: string
  readonly message: string
  readonly connectorId: string | undefined
  readonly walletCode: number | undefined
  readonly status: number | undefined
  readonly details: unknown
}

export const appNameNotSet: ErrorSpec = /* @__PURE__ */ errorSpec('config_app_name', 'appName not set')
export const configInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('config_invalid', 'Invalid configuration', 5)
export const userRejected: ErrorSpec = /* @__PURE__ */ errorSpec('user_rejected', 'User cancelled connection', 2)
export const connectTimeout: ErrorSpec = /* @__PURE__ */ errorSpec('connect_timeout', 'No answer in time', 10)
export const aborted: ErrorSpec = /* @__PURE__ */ errorSpec('aborted', 'Aborted')
export const disposed: ErrorSpec = /* @__PURE__ */ errorSpec('disposed', 'Disposed')
export const unknownConnector: ErrorSpec = /* @__PURE__ */ errorSpec('connector_unknown', 'Unknown connector', 5)
export const connectorNotReady: ErrorSpec = /* @__PURE__ */ errorSpec('connector_not_ready', 'Connector not ready', 8)
export const pluginMissing: ErrorSpec = /* @__PURE__ */ errorSpec('plugin_missing', 'Missing plugin')
export const pluginDuplicate: ErrorSpec = /* @__PURE__ */ errorSpec(
  'plugin_duplicate',
  'Two plugins have the same id. Remove one from `plugins`',
)
export const signMessageMissing: ErrorSpec = /* @__PURE__ */ errorSpec(
  'sign_message_missing',
  'signMessage - Not implemented by wallet',
)
export const featureMissing: ErrorSpec = /* @__PURE__ */ errorSpec('feature_missing', 'Not implemented by wallet')
export const accountNotFound: ErrorSpec = /* @__PURE__ */ errorSpec('account_not_found', 'Account not found', 9)
export const walletLocked: ErrorSpec = /* @__PURE__ */ errorSpec('wallet_locked', 'The wallet is locked', 4)
export const requestFailed: ErrorSpec = /* @__PURE__ */ errorSpec('request_failed', 'Cannot proceed with your request')
export const sessionMissing: ErrorSpec = /* @__PURE__ */ errorSpec(
  'session_missing',
  'Failed to create or restore session',
)
export const versionMismatch: ErrorSpec = /* @__PURE__ */ errorSpec(
  'version_mismatch',
  'Keybay packages differ in version',
)
export const redirectUnexpected: ErrorSpec = /* @__PURE__ */ errorSpec(
  'redirect_unexpected',
  'Nobody asked for this answer',
)
export const internal: ErrorSpec = /* @__PURE__ */ errorSpec('internal', 'Internal error', 6)

/** Checks the structure instead of `instanceof`, because a page may load two copies of the kernel. */
export function isKeybayError(value: unknown, error?: ErrorSpec): value is KeybayError {
  return (
    hasShape<KeybayError>(value, { code: 'string' }) &&
    value.name === 'KeybayError' &&
    (!error || value.code === error.code)
  )
}

/**
 * Converts any thrown value to a KeybayError. Wallets report a rejection as EIP-1193 code 4001 or only in the
 * message (the Solana wallet adapter's errors carry no code), so this reads both. Reading a hostile error may
 * throw.
 */
export function toKeybayError(cause: unknown, connectorId?: string): KeybayError {
  return (
    quietly(() => {
      if (isKeybayError(cause)) return cause
      const { code, name, message = cause } = hasShape<Thrown>(cause, {}) ? cause : {}
      const detail = redactText(String(message)).slice(0, 300)
      const known =
        name === 'AbortError'
          ? aborted
          : name === 'TimeoutError'
            ? connectTimeout
            : code === 4001 || /reject|denied|declin|cancel/i.test(detail)
              ? userRejected
              : code === 4100 || /\blocked\b/i.test(detail)
                ? walletLocked
                : undefined
      return new KeybayError(known ?? internal, { cause, connectorId, ...(!known && { detail }) })
    }) ?? new KeybayError(internal, { connectorId })
  )
}
interface Thrown {
  readonly code?: unknown
  readonly name?: unknown
  readonly message?: unknown
}
