/** `keybay.turnkey`, as a host sees it, and what its wallet can do beyond Wallet Standard. Types only. */
import type {} from '@keybay/account' // its line in KeybayPlugins
import type { WalletCredential } from '@keybay/kernel/spec'
import type { WalletAccount } from '@wallet-standard/base'

export interface CreateWalletOptions {
  /** What authenticators show the passkey as; default: the user's email. Needed where there is none (S5.2). */
  readonly passkeyName?: string | undefined
}
export interface AddAccountOptions {
  /** `SOL` by SLIP-10, `EVM` by BIP-32. */
  readonly chain: 'SOL' | 'EVM'
  /** Default: the chain's usual path with the next number. */
  readonly path?: string | undefined
}
/** A session key (S4.1): with it signing needs no passkey. Lives in memory, so a reload ends it. */
export interface SessionState {
  readonly status: 'none' | 'loading' | 'active' | 'expired'
  /** ISO 8601; while active. */
  readonly expirationDate?: string | undefined
}
/** A recovery by email (S4.2). */
export interface RecoveryState {
  readonly status: 'none' | 'active' | 'expired'
  readonly recoveryUserId?: string | undefined
  /** The mailed code is refused from then on, ms since epoch. */
  readonly codeExpiresAt?: number | undefined
  /** The session is over then, ms since epoch. */
  readonly expiresAt?: number | undefined
}
export interface BeginRecoveryOptions {
  /** Of the recovery session, seconds; default 1800 (S9.1). */
  readonly sessionExpiration?: number | undefined
}
export interface CompleteRecoveryOptions {
  /** From the mail. A secret. */
  readonly code: string
  /** What `beginRecovery` answered. */
  readonly recoveryUserId: string
  /** Names the new passkey: one of both is needed (S5.10). */
  readonly email?: string | undefined
  readonly passkeyName?: string | undefined
}
export interface CustodyUser {
  readonly userId: string
  readonly userName: string
  readonly email?: string | undefined
  readonly passkeys: readonly { readonly id: string; readonly name: string }[]
}
export interface CustodyActivity {
  readonly id: string
  readonly type: string
  readonly status: string
  /** ms since epoch */
  readonly createdAt: number
}
/** Where an export is opened: the visible frame, which alone has the private half. */
export interface ExportTarget {
  /** P-256, 65 bytes, hex. */
  readonly targetPublicKey: string
}

export interface ExportKeyOptions {
  /** An element of the page, at least 320 by 420 px, in which the export window appears (S5.9). */
  readonly displayContainer: Element
  /** The words of the account's wallet instead: all of its accounts come from them, on every chain. */
  readonly words?: boolean | undefined
  /** Takes the window away. */
  readonly signal?: AbortSignal | undefined
}

/** Everything here loads with the first call. */
export interface TurnkeyEngineApi {
  /**
   * A sub-organisation of the user's own, with a new passkey as its guard and a first wallet: Solana and EVM.
   *
   * @throws KeybayError `custody_wallet_exists`, `webauthn_identifier_missing`, `user_rejected`, …
   * @example const [sol, evm] = await keybay.turnkey.createWallet()
   */
  createWallet(options?: CreateWalletOptions): Promise<readonly WalletCredential[]>
  /** Asks again each time. Empty: none yet. Accounts of a wallet are named `turnkeyhd`, keys of no wallet `turnkey`. */
  wallets(): Promise<readonly WalletCredential[]>
  /** Another account of the same wallet; resolves with its address. */
  addAccount(options: AddAccountOptions): Promise<string>
  /** A second passkey of this device or another: either signs. The user confirms with one that custody knows. */
  addPasskey(name: string): Promise<string>
  user(): Promise<CustodyUser>
  /** Where recovery codes go. The user confirms with the passkey. */
  updateEmail(email: string): Promise<void>
  /** What was asked of custody, newest first. */
  activities(): Promise<readonly CustodyActivity[]>
  session(): Promise<SessionState>
  /** Forgets the session key, and deletes it at custody; the next signature asks for the passkey. */
  endSession(): Promise<void>
  recovery(): Promise<RecoveryState>
  /** Has a code mailed that opens on this page alone. @throws KeybayError `email_recovery_disabled`, … */
  beginRecovery(options?: BeginRecoveryOptions): Promise<RecoveryState>
  /**
   * The code, and then a new passkey of this device: call it in a click.
   *
   * @throws KeybayError `recovery_incomplete`; `recovery_code_invalid` for a code that is wrong or late
   */
  completeRecovery(options: CompleteRecoveryOptions): Promise<readonly WalletCredential[]>
  /** EIP-712, by an EVM account. @param typedData JSON @returns 65 bytes, 0x… */
  signTypedData(address: string, typedData: string): Promise<string>
  /**
   * Shows one account's key, or its wallet's words, to the user, in a window of another origin: the page never has them. Call
   * it in a click. Resolves when the user is done, or after a minute.
   *
   * @throws KeybayError `display_container_missing`, `account_not_found`, `export_bundle_invalid`, `iframe_load_failed`, …
   * @example await keybay.turnkey.exportKey(address, { displayContainer: document.querySelector('#wallet') })
   */
  exportKey(address: string, options: ExportKeyOptions): Promise<void>
  /** The mnemonic, sealed to the target. The user confirms each export with the passkey. */
  exportWallet(walletId: string, target: ExportTarget): Promise<string>
  /** One account's key, sealed to the target, whether it is of a wallet or not. */
  exportWalletAccount(address: string, target: ExportTarget): Promise<string>
  /** A key that is of no wallet, by its id, sealed to the target. */
  exportPrivateKey(privateKeyId: string, target: ExportTarget): Promise<string>
}
/** What a page gets as `keybay.turnkey`. */
export interface TurnkeyApi extends TurnkeyEngineApi {}

/** The wallet feature `keybay:signTypedData`. */
export interface SignTypedDataFeature {
  readonly version: string
  signTypedData(input: {
    readonly account: WalletAccount
    /** JSON */
    readonly typedData: string
  }): Promise<{ readonly signature: string }>
}

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    turnkey: TurnkeyApi
  }
  interface WalletFeatures {
    'keybay:signTypedData': SignTypedDataFeature
  }
  interface KeybayEvents {
    'turnkey:session': SessionState
    'turnkey:recovery': RecoveryState
    /** They were asked for, made, or are another user's now. */
    'turnkey:wallets': { readonly wallets: readonly WalletCredential[] }
  }
}
