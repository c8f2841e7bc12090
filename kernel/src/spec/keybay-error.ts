/**
 * `KeybayError`, and the codes that both the first chunk of a page and the chunks that load later raise: bundlers put this
 * module into a chunk that they share. One constant per code, marked pure, so that a bundle holds only what it can raise.
 */
import { redactText } from './redact-text.js'
import { hasShape, quietly } from './shape.js'

/** A stable code, its message, and the wallet error number (0–11, S3.1) if it has one. */
export interface ErrorSpec<Code extends string = string> {
  readonly code: Code
  readonly message: string
  readonly walletCode?: number
}

/** Declares an error code. A plugin declares its own with it. */
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
  /** The HTTP status, where a server answered. */
  readonly status?: number
  /** Further facts from the server or the connector, already checked. */
  readonly details?: unknown
}

/**
 * Every error that Keybay throws or reports. The type of an error whose code is known names it: `KeybayError<'aborted'>`.
 *
 * @example
 * try { await keybay.connect('wallet-standard:phantom') }
 * catch (error) { if (isKeybayError(error, userRejected)) return; throw error }
 */
export class KeybayError<out Code extends string = string> extends Error {
  override readonly name = 'KeybayError'
  // `declare`: the constructor assigns them, and initialisers would overwrite the values.
  declare readonly code: Code
  declare readonly walletCode: number | undefined
  declare readonly connectorId: string | undefined
  declare readonly status: number | undefined
  declare readonly details: unknown
  constructor({ code, message, walletCode }: ErrorSpec<Code>, { detail, cause, ...facts }: ErrorFacts = {}) {
    super(detail ? `${message}: ${detail}` : message, { cause })
    Object.assign(this, { code, walletCode }, facts)
  }
  /** Path in `node_modules` of the page that explains the code. */
  get docs(): string {
    return `@keybay/kernel/ERRORS.md#${this.code}`
  }
  /** The form that crosses frames, workers and logs: no cause and no stack. */
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

export const configInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('config_invalid', 'Invalid configuration', 5)
export const userRejected: ErrorSpec = /* @__PURE__ */ errorSpec('user_rejected', 'User cancelled connection', 2)
export const connectTimeout: ErrorSpec = /* @__PURE__ */ errorSpec('connect_timeout', 'No response in time', 10)
export const aborted: ErrorSpec = /* @__PURE__ */ errorSpec('aborted', 'Aborted')
export const disposed: ErrorSpec = /* @__PURE__ */ errorSpec('disposed', 'Disposed')
export const connectorNotReady: ErrorSpec = /* @__PURE__ */ errorSpec('connector_not_ready', 'Connector not ready', 8)
export const signMessageMissing: ErrorSpec = /* @__PURE__ */ errorSpec(
  'sign_message_missing',
  'signMessage - Not implemented by wallet',
)
export const accountNotFound: ErrorSpec = /* @__PURE__ */ errorSpec('account_not_found', 'Account not found', 9)
export const walletLocked: ErrorSpec = /* @__PURE__ */ errorSpec('wallet_locked', 'The wallet is locked', 4)
export const sessionMissing: ErrorSpec = /* @__PURE__ */ errorSpec(
  'session_missing',
  'Failed to create or restore session',
)
export const redirectUnexpected: ErrorSpec = /* @__PURE__ */ errorSpec(
  'redirect_unexpected',
  'Unexpected redirect response',
)
export const internal: ErrorSpec = /* @__PURE__ */ errorSpec('internal', 'Internal error', 6)

/** Checks the structure, not `instanceof`: a page may hold two copies of the kernel. */
export function isKeybayError<Code extends string = string>(
  value: unknown,
  error?: ErrorSpec<Code>,
): value is KeybayError<Code> {
  return (
    hasShape<KeybayError<Code>>(value, { code: 'string' }) &&
    value.name === 'KeybayError' &&
    (!error || value.code === error.code)
  )
}

/**
 * Converts anything thrown to a KeybayError. Wallets report a refusal as EIP-1193 code 4001 or only in the message (the
 * Solana wallet adapter's errors carry no code), so both are read. Reading a hostile error may throw.
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
/** Throws `cause` as a KeybayError. The refusal to sign a message has the wallet error number 3 in place of 2 (S3.1). */
export function throwMessageError(cause: unknown): never {
  const error = toKeybayError(cause)
  throw Object.assign(error, error.walletCode === 2 && { walletCode: 3 })
}
interface Thrown {
  readonly code?: unknown
  readonly name?: unknown
  readonly message?: unknown
}
