import {
  accountNotFound,
  featureMissing,
  KeybayError,
  type Registered,
  signMessageMissing,
  throwMessageError,
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

type SignFeature = 'solana:signMessage' | 'solana:signTransaction'

function findSigner<F extends SignFeature>(
  { accounts, connectors }: Registered,
  { account: key }: Signer,
  name: F,
  signal: AbortSignal,
) {
  const account = key === undefined ? accounts.active() : accounts.list().find(known => known.key === key)
  const connector = account && connectors.get(account.connectorId)
  if (!account || connector?.kind !== 'wallet') throw new KeybayError(accountNotFound)
  const { features }: { readonly features: Partial<WalletFeatures> } = connector.wallet
  // Some accounts, such as those on a hardware wallet, support fewer features than their wallet.
  const feature = account.walletAccount.features.includes(name) ? features[name] : undefined
  return [feature, { account: account.walletAccount, signal: feature?.signal && signal }, connector.id] as const
}

/**
 * Signs a message with the active account of any wallet. Errors: `account_not_found`,
 * `sign_message_missing` ("signMessage - Not implemented by wallet", S5.16), `user_rejected` with `walletCode` 3.
 *
 * @example const sign = useSignMessage(); sign.run({ message: 'Hello' }); sign.data?.signature
 */
export function useSignMessage(): Action<[input: SignMessageInput], SignMessageResult> {
  const keybay = useKeybay()
  return useAction(async (signal, input: SignMessageInput) => {
    const [feature, signer, connectorId] = findSigner(keybay, input, 'solana:signMessage', signal)
    const { message } = input
    const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message
    const signed = await feature?.signMessage({ ...signer, message: bytes }).catch(throwMessageError)
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
  return useAction(async (signal, input: SignTransactionInput) => {
    const name = 'solana:signTransaction'
    const [feature, signer, connectorId] = findSigner(keybay, input, name, signal)
    const { transaction, chain } = input
    const signed = await feature?.signTransaction({ ...signer, transaction, ...(chain && { chain }) })
    if (!signed?.[0]) throw new KeybayError(featureMissing, { connectorId, detail: name })
    return signed[0].signedTransaction
  })
}
