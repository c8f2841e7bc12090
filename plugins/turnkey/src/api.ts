/** Types of `keybay.turnkey`, and wallet features beyond Wallet Standard. Types only. */
import type {} from '@keybay/account' // Adds its entry to KeybayPlugins.
import type { AcceptsSignal } from '@keybay/kernel'
import type { WalletCredential } from '@keybay/kernel/spec'
import type { WalletAccount } from '@wallet-standard/base'

export interface CreateWalletOptions {
  /** Passkey name shown by authenticators; default: the user's email. Required if the user has no email (S5.2). */
  readonly passkeyName?: string | undefined
}
export interface AddAccountOptions {
  /** `SOL` derives by SLIP-10, `EVM` by BIP-32. */
  readonly chain: 'SOL' | 'EVM'
  /** Derivation path. Default: the chain's usual path with the next number. */
  readonly path?: string | undefined
}
/** State of a session key (S4.1), which signs without the passkey. Tabs share it, and a reload keeps it. */
export interface SessionState {
  readonly status: 'none' | 'loading' | 'active' | 'expired'
  /** ISO 8601; set while active. */
  readonly expirationDate?: string | undefined
}
/** State of a recovery by email (S4.2). */
export interface RecoveryState {
  readonly status: 'none' | 'active' | 'expired'
  readonly recoveryUserId?: string | undefined
  /** Expiry of the emailed code, in ms since epoch. */
  readonly codeExpiresAt?: number | undefined
  /** Expiry of the session, in ms since epoch. */
  readonly expiresAt?: number | undefined
}
export interface BeginRecoveryOptions {
  /** Lifetime of the recovery session, in seconds; default 1800 (S9.1). */
  readonly sessionExpiration?: number | undefined
}
export interface CompleteRecoveryOptions {
  /** Code from the email. Secret. */
  readonly code: string
  /** `recoveryUserId` returned by `beginRecovery`. */
  readonly recoveryUserId: string
  /** Names the new passkey: one of the two is required (S5.10). */
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
/** Target of an export: the visible frame, which alone holds the private key. */
export interface ExportTarget {
  /** P-256, 65 bytes, hex. */
  readonly targetPublicKey: string
}

export interface ExportKeyOptions {
  /** Element of the page that contains the export window (S5.9), best a closed `<dialog>`, which becomes the wallet's sheet. */
  readonly displayContainer: Element
  /** Exports the recovery phrase of the account's wallet instead: it derives all of the wallet's accounts, on every chain. */
  readonly words?: boolean | undefined
  /** Closes the window. */
  readonly signal?: AbortSignal | undefined
}

export interface TurnkeyEngineApi {
  /**
   * Creates a sub-organization for the user, guarded by a new passkey, and a first wallet with Solana and EVM accounts.
   * @throws KeybayError `custody_wallet_exists`, `webauthn_identifier_missing`, `user_rejected`, …
   * @example const [sol, evm] = await keybay.turnkey.createWallet()
   */
  createWallet(options?: CreateWalletOptions): Promise<readonly WalletCredential[]>
  /** Fetches the wallets on each call. Empty if none. Wallet accounts are named `turnkeyhd`, standalone keys `turnkey`. */
  wallets(): Promise<readonly WalletCredential[]>
  /** Adds another account to the same wallet; resolves with its address. */
  addAccount(options: AddAccountOptions): Promise<string>
  /** Adds a passkey of this device or another; either can sign. The user confirms with a passkey that custody already knows. */
  addPasskey(name: string): Promise<string>
  user(): Promise<CustodyUser>
  /** Changes the email address for recovery codes. The user confirms with the passkey. */
  updateEmail(email: string): Promise<void>
  /** Returns the activities at the custody service, newest first. */
  activities(): Promise<readonly CustodyActivity[]>
  session(): Promise<SessionState>
  /** Deletes the session key here and at the custody service; the next signature needs the passkey. */
  endSession(): Promise<void>
  recovery(): Promise<RecoveryState>
  /** Emails a code that only this page can open. @throws KeybayError `email_recovery_disabled`, … */
  beginRecovery(options?: BeginRecoveryOptions): Promise<RecoveryState>
  /**
   * Submits the code and creates a new passkey on this device: call it in a click.
   * @throws KeybayError `recovery_incomplete`; `recovery_code_invalid` for a wrong or expired code
   */
  completeRecovery(options: CompleteRecoveryOptions): Promise<readonly WalletCredential[]>
  /** EIP-712, by an EVM account. @param typedData JSON @returns 65 bytes, 0x… */
  signTypedData(address: string, typedData: string): Promise<string>
  /**
   * Shows an account's key, or its wallet's recovery phrase, in a window of another origin: the page never receives them. Call it
   * in a click. Resolves when the user is done, or after a minute.
   * @throws KeybayError `display_container_missing`, `account_not_found`, `export_bundle_invalid`, `iframe_load_failed`, …
   * @example await keybay.turnkey.exportKey(address, { displayContainer: document.querySelector('#wallet') })
   */
  exportKey(address: string, options: ExportKeyOptions): Promise<void>
  /** Returns the mnemonic, encrypted for the target. The user confirms each export with the passkey. */
  exportWallet(walletId: string, target: ExportTarget): Promise<string>
  /** Returns one account's key, encrypted for the target; the account may belong to a wallet or not. */
  exportWalletAccount(address: string, target: ExportTarget): Promise<string>
  /** Returns a standalone key by its ID, encrypted for the target. */
  exportPrivateKey(privateKeyId: string, target: ExportTarget): Promise<string>
}

export interface TurnkeyApi extends TurnkeyEngineApi {}

/** Wallet feature `keybay:signTypedData`. */
export interface SignTypedDataFeature extends AcceptsSignal {
  readonly version: string
  signTypedData(input: {
    readonly account: WalletAccount
    /** JSON */
    readonly typedData: string
    readonly signal?: AbortSignal | undefined
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
    /** Emitted when wallets were fetched or created, or the user changed. */
    'turnkey:wallets': { readonly wallets: readonly WalletCredential[] }
  }
}
