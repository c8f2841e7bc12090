import {
  accountNotFound,
  type FeatureName,
  featureMissing,
  KeybayError,
  type Registered,
  signMessageMissing,
  type WalletFeatures,
} from '@keybay/kernel'
import { type Action, useAction } from './action.js'
import { useKeybay } from './context.js'

export interface Signer {
  /** `key` of the account that signs; by default the active one on Solana. */
  readonly account?: string | undefined
}
export interface SignMessageInput extends Signer {
  /** Text is signed as UTF-8. */
  readonly message: string | Uint8Array
}
export interface SignMessageResult {
  /** 64 bytes */
  readonly signature: Uint8Array
  /** The bytes that were signed; some wallets add a prefix. */
  readonly signedMessage: Uint8Array
}
export interface SignTransactionInput extends Signer {
  /** A serialised Solana transaction, legacy or v0. */
  readonly transaction: Uint8Array
  /** e.g. `solana:devnet`; by default the wallet's choice. */
  readonly chain?: `${string}:${string}` | undefined
}

function findSigner({ accounts, connectors }: Registered, key: string | undefined, name: FeatureName) {
  const account = key === undefined ? accounts.active() : accounts.list().find(known => known.key === key)
  const connector = account && connectors.get(account.connectorId)
  if (!account || connector?.kind !== 'wallet') throw new KeybayError(accountNotFound)
  const { walletAccount, connectorId } = account
  // Some accounts, such as those on a hardware wallet, support fewer features than their wallet.
  const features: Partial<WalletFeatures> = walletAccount.features.includes(name) ? connector.wallet.features : {}
  return { account: walletAccount, connectorId, features }
}

/**
 * Signs a message with the active account of any wallet. Errors: `account_not_found`,
 * `sign_message_missing` ("signMessage - Not implemented by wallet", S5.16), `user_rejected`.
 *
 * @example const sign = useSignMessage(); sign.run({ message: 'Hello' }); sign.data?.signature
 */
export function useSignMessage(): Action<[input: SignMessageInput], SignMessageResult> {
  const keybay = useKeybay()
  return useAction(async (_signal, { message, account: key }: SignMessageInput) => {
    const { account, connectorId, features } = findSigner(keybay, key, 'solana:signMessage')
    const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message
    const signed = await features['solana:signMessage']?.signMessage({ account, message: bytes })
    // An empty response counts as a missing feature.
    if (!signed?.[0]) throw new KeybayError(signMessageMissing, { connectorId })
    return signed[0]
  })
}

/**
 * Signs a transaction with the active account and returns its bytes; nothing is sent. Errors: `account_not_found`,
 * `feature_missing`, `user_rejected`.
 *
 * @example const sign = useSignTransaction(); const bytes = await sign.runAsync({ transaction, chain: 'solana:devnet' })
 */
export function useSignTransaction(): Action<[input: SignTransactionInput], Uint8Array> {
  const keybay = useKeybay()
  return useAction(async (_signal, { transaction, chain, account: key }: SignTransactionInput) => {
    const { account, connectorId, features } = findSigner(keybay, key, 'solana:signTransaction')
    const input = { account, transaction, ...(chain && { chain }) }
    const signed = await features['solana:signTransaction']?.signTransaction(input)
    if (!signed?.[0]) throw new KeybayError(featureMissing, { connectorId, detail: 'solana:signTransaction' })
    return signed[0].signedTransaction
  })
}
