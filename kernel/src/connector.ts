/**
 * The connector interface: what every wallet and every way to log in is to the kernel.
 * A connector owns one transport; the kernel owns state and order.
 */
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import type { Logger } from './logger.js'
import type { PromptAnswer, PromptInput, PromptType } from './prompts.js'
import type { AuthenticationMethod, WalletConnectionType } from './spec/enumerations.js'

/** `solana:signIn` (Wallet Standard). */
export interface SolanaSignIn {
  readonly version: string
  signIn(
    ...inputs: readonly {
      readonly domain?: string
      readonly address?: string
      readonly statement?: string
      readonly uri?: string
      readonly version?: string
      readonly chainId?: string
      readonly nonce?: string
      readonly issuedAt?: string
    }[]
  ): Promise<
    readonly { readonly account: WalletAccount; readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]
  >
}
/** `solana:signMessage` (Wallet Standard). */
export interface SolanaSignMessage {
  readonly version: string
  signMessage(
    ...inputs: readonly { readonly account: WalletAccount; readonly message: Uint8Array }[]
  ): Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>
}
/** `solana:signTransaction` (Wallet Standard). Transactions are serialised bytes. */
export interface SolanaSignTransaction {
  readonly version: string
  readonly supportedTransactionVersions: readonly ('legacy' | 0)[]
  signTransaction(
    ...inputs: readonly {
      readonly account: WalletAccount
      readonly transaction: Uint8Array
      readonly chain?: IdentifierString
    }[]
  ): Promise<readonly { readonly signedTransaction: Uint8Array }[]>
}
/** `solana:signAndSendTransaction` (Wallet Standard). The signature is 64 bytes. */
export interface SolanaSignAndSendTransaction {
  readonly version: string
  readonly supportedTransactionVersions: readonly ('legacy' | 0)[]
  signAndSendTransaction(
    ...inputs: readonly {
      readonly account: WalletAccount
      readonly transaction: Uint8Array
      readonly chain: IdentifierString
    }[]
  ): Promise<readonly { readonly signature: Uint8Array }[]>
}

/**
 * Every wallet feature that Keybay knows by type. Plugins add theirs by declaration merging:
 * `declare module '@keybay/kernel' { interface WalletFeatures { 'acme:sweep': … } }`
 */
export interface WalletFeatures {
  'standard:connect': StandardConnectFeature['standard:connect']
  'standard:disconnect': StandardDisconnectFeature['standard:disconnect']
  'standard:events': StandardEventsFeature['standard:events']
  'solana:signIn': SolanaSignIn
  'solana:signMessage': SolanaSignMessage
  'solana:signTransaction': SolanaSignTransaction
  'solana:signAndSendTransaction': SolanaSignAndSendTransaction
}
export type FeatureName = keyof WalletFeatures & IdentifierString

/** A Wallet Standard wallet that surely has the features `F`; any other known one may be there. */
export interface WalletWith<F extends FeatureName = never> extends Wallet {
  readonly features: Wallet['features'] & { readonly [K in F]: WalletFeatures[K] } & {
    readonly [K in Exclude<FeatureName, F>]?: WalletFeatures[K]
  }
}

export type Readiness = 'ready' | 'loading' | 'not-installed' | 'unsupported'
/** The specification's wallet connection types (S3.1). */
export type ConnectionType = WalletConnectionType
/** The specification's authentication methods (S3.1). */
export type LoginMethod = AuthenticationMethod

/** What a connector gets with each call. */
export interface ConnectContext {
  /** Aborts on cancel, time-out, disconnect and dispose. */
  readonly signal: AbortSignal
  /** A reconnect without the user: never show anything, fail instead. */
  readonly silent: boolean
  /** What `gesture` returned; it ran synchronously in the click. */
  readonly gesture: unknown
  /** Asks the user through whatever UI the host shows. Rejects with `user_rejected` when dismissed. */
  prompt<const T extends PromptType>(input: PromptInput<T>): Promise<PromptAnswer<T>>
  /**
   * Leaves the page. The kernel stores the attempt first and resumes it on return; the promise never settles.
   *
   * @param state what `claims` will find in the address of this one's answer and of no other, and nobody can guess. Without
   *   it every return that the connector claims counts as the answer.
   */
  redirect(url: string, state?: string): Promise<never>
  readonly log: Logger
}
/** What `resume` gets: the attempt that was stored when the page was left, if there was one. */
export interface ResumeContext extends ConnectContext {
  /** `undefined`: nobody here started it (another tab, a replay, cleared storage). Read, clear the address, and fail. */
  readonly attempt: StoredAttempt | undefined
}
export interface StoredAttempt {
  readonly connectorId: string
  /** `connect`, or the wallet method that left the page. */
  readonly method: string
  /** Given to `redirect`; not stored: the answer says it. */
  readonly state?: string | undefined
  /** ms since epoch */
  readonly startedAt: number
}

interface Identity<Id extends string> {
  readonly id: Id
  readonly name: string
  /** A data URL. */
  readonly icon: string
  readonly readiness: Readiness
  /** Where to get it, when `readiness` is `not-installed`. */
  readonly installUrl?: string
  /** Runs synchronously inside the click, before any await: open the popup here. Its result is `ctx.gesture`. */
  gesture?(): unknown
  /**
   * Is this address a return to this connector, and to which `redirect`: the state that was given there, or true without one.
   * Synchronous, cheap, and must not throw.
   */
  claims?(url: URL): boolean | string
  /** Fetches heavy code before it is needed (hover). */
  preload?(): Promise<unknown>
}

/** A wallet: speaks Wallet Standard and nothing else. */
export interface WalletConnector<Id extends string = string, F extends FeatureName = never> extends Identity<Id> {
  readonly kind: 'wallet'
  readonly connectionType: ConnectionType
  readonly wallet: WalletWith<F>
  /** `standard:connect` by default. */
  connect?(ctx: ConnectContext): Promise<readonly WalletAccount[]>
  /** `standard:disconnect` by default. */
  disconnect?(): Promise<void>
  /** After a redirect. For `connect` the accounts; for another method its result, reported as `operation:resumed`. */
  resume?(url: URL, ctx: ResumeContext): Promise<unknown>
}

/** What a login proves; `account` exchanges it for a session. */
export interface Credential {
  readonly method: LoginMethod
  readonly provider?: string
  readonly proof: unknown
}
/** A way to log in. It never becomes a Connection: its credential becomes the session. */
export interface LoginConnector<Id extends string = string, Input = unknown> extends Identity<Id> {
  readonly kind: 'login'
  readonly method: LoginMethod
  readonly provider?: string
  connect(input: Input, ctx: ConnectContext): Promise<Credential>
  resume?(url: URL, ctx: ResumeContext): Promise<Credential>
}

/** Either kind; tell them apart by `kind`. */
export type Connector = WalletConnector | LoginConnector
