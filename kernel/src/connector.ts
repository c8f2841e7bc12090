/** The connector interface: a wallet or a way to sign in. A connector owns one transport; the kernel owns state and order. */
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import type { Logger } from './logger.js'
import type { PromptAnswer, PromptInput, PromptType } from './prompt.js'
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
/** Input of a request that the app can abort. */
export interface Abortable {
  /** Pass it only if the feature says `signal`, because other wallets may clone their inputs. */
  readonly signal?: AbortSignal | undefined
}
/** Property of a wallet's feature that ends a request, and closes its window, when the `signal` of the input aborts. */
export interface AcceptsSignal {
  readonly signal?: true
}
/** `solana:signMessage` (Wallet Standard). */
export interface SolanaSignMessage extends AcceptsSignal {
  readonly version: string
  signMessage(
    ...inputs: readonly (Abortable & { readonly account: WalletAccount; readonly message: Uint8Array })[]
  ): Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>
}
/** `solana:signTransaction` (Wallet Standard). Transactions are serialised bytes. */
export interface SolanaSignTransaction extends AcceptsSignal {
  readonly version: string
  readonly supportedTransactionVersions: readonly ('legacy' | 0)[]
  signTransaction(
    ...inputs: readonly (Abortable & {
      readonly account: WalletAccount
      readonly transaction: Uint8Array
      readonly chain?: IdentifierString
    })[]
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
 * The wallet features that Keybay knows by type. Plugins add theirs by declaration merging:
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

/** A Wallet Standard wallet that has the features `F`, and maybe other known ones. */
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

/** The context of a call to a connector. */
export interface ConnectContext {
  /** Aborts on cancel, time-out, disconnect and dispose. */
  readonly signal: AbortSignal
  /** True for a reconnect without the user: show nothing, fail instead. */
  readonly silent: boolean
  /** The result of `gesture`, which ran synchronously in the click. */
  readonly gesture: unknown
  /** Asks the user through the host's UI. Rejects with `user_rejected` when the user dismisses it. */
  prompt<const T extends PromptType>(input: PromptInput<T>): Promise<PromptAnswer<T>>
  /**
   * Leaves the page. The kernel stores the attempt first and resumes it on return; the promise never settles.
   *
   * @param state an unguessable value that `claims` reads from the address of this redirect's response. Without it, every
   *   return that the connector claims counts as the response.
   */
  redirect(url: string, state?: string): Promise<never>
  readonly log: Logger
}
/** The context of `resume`, with the attempt that was stored when the page was left. */
export interface ResumeContext extends ConnectContext {
  /** Undefined if this app did not start it (a replay, cleared storage): read the response, clear the address, and fail. */
  readonly attempt: StoredAttempt | undefined
}
export interface StoredAttempt {
  readonly connectorId: string
  /** `connect`, or the wallet method that left the page. */
  readonly method: string
  /** The argument of `redirect`. Not stored: the response carries it. */
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
  /** Where to install it, when `readiness` is `not-installed`. */
  readonly installUrl?: string
  /** Runs synchronously inside the click, before any await: open popups here. Its result is `ctx.gesture`. */
  gesture?(): unknown
  /**
   * Tells whether this address is a return to this connector: the `state` of its `redirect`, or true if that had none. Must be
   * synchronous and cheap, and must not throw.
   */
  claims?(url: URL): boolean | string
  /** Fetches heavy code before it is needed (hover). */
  preload?(): Promise<unknown>
}

/** A wallet, which speaks only Wallet Standard. */
export interface WalletConnector<Id extends string = string, F extends FeatureName = never> extends Identity<Id> {
  readonly kind: 'wallet'
  readonly connectionType: ConnectionType
  readonly wallet: WalletWith<F>
  /** `standard:connect` by default. */
  connect?(ctx: ConnectContext): Promise<readonly WalletAccount[]>
  /** `standard:disconnect` by default. */
  disconnect?(): Promise<void>
  /** Reads a redirect's response: the accounts for `connect`, or the result of another method (`operation:resumed`). */
  resume?(url: URL, ctx: ResumeContext): Promise<unknown>
}

/** A JSON object from the product API. */
export type ApiResponse = Readonly<Record<string, unknown>>
/** The shape of the proof for each login method. */
export interface LoginProofs {
  /** ID of the wallet connector that signs in. */
  readonly blockchain: string
  /** The last response of `entrance.post` of the `account` plugin; so too for `oauth`, `passkey` and `phoneNumber`. */
  readonly email: ApiResponse
  readonly oauth: ApiResponse
  readonly passkey: ApiResponse
  readonly phoneNumber: ApiResponse
  /** A token that the app's own server issued. */
  readonly externalUser: { readonly token: string }
}
/** The proof of a login; the session's provider exchanges it for a session. */
export type Credential<M extends LoginMethod = LoginMethod> = {
  readonly [K in M]: { readonly method: K; readonly provider?: string; readonly proof: LoginProofs[K] }
}[M]
/** A way to sign in. It never becomes a Connection: its credential becomes the session. */
export interface LoginConnector<Id extends string = string, Input = unknown> extends Identity<Id> {
  readonly kind: 'login'
  readonly method: LoginMethod
  readonly provider?: string
  connect(input: Input, ctx: ConnectContext): Promise<Credential>
  resume?(url: URL, ctx: ResumeContext): Promise<Credential>
}

/** Either kind, discriminated by `kind`. */
export type Connector = WalletConnector | LoginConnector
