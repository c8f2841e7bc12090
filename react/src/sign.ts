import {
  type Account,
  type AnyCore,
  accountNotFound,
  featureMissing,
  KeybayError,
  signMessageMissing,
  type WalletConnector,
} from '@keybay/kernel'
import { type Action, useAction } from './action.js'
import { useCore } from './context.js'

export interface Signer {
  /** `key` of the account that signs; by default the active one on Solana. */
  readonly account?: string
}
export interface SignMessageInput extends Signer {
  /** Text is signed as UTF-8. */
  readonly message: string | Uint8Array
}
export interface SignMessageResult {
  /** 64 bytes */
  readonly signature: Uint8Array
  /** What was really signed; some wallets add a prefix. */
  readonly signedMessage: Uint8Array
}
export interface SignTransactionInput extends Signer {
  /** A serialised Solana transaction, legacy or v0. */
  readonly transaction: Uint8Array
  /** e.g. `solana:devnet` */
  readonly chain?: `${string}:${string}`
}

const signerOf = ({ accounts, connectors }: AnyCore, key?: string): [Account, WalletConnector['wallet']] => {
  const account = key === undefined ? accounts.active() : accounts.list().find(one => one.key === key)
  const connector = account && connectors.get(account.connectorId)
  if (!account || connector?.kind !== 'wallet') throw new KeybayError(accountNotFound)
  return [account, connector.wallet]
}

/**
 * Signs a message with the active account, whatever wallet holds it. Errors: `account_not_found`,
 * `sign_message_missing`, `user_rejected`.
 *
 * @example const sign = useSignMessage(); sign.run({ message: 'Hello' }); sign.data?.signature
 */
export const useSignMessage = (): Action<[input: SignMessageInput], SignMessageResult> => {
  const keybay = useCore()
  return useAction(async (signal, { message, account: key }: SignMessageInput) => {
    const [{ connectorId, walletAccount }, wallet] = signerOf(keybay, key)
    const feature = wallet.features['solana:signMessage']
    if (!feature) throw new KeybayError(signMessageMissing, { connectorId })
    const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message
    const [signed] = await feature.signMessage({ account: walletAccount, message: bytes })
    signal.throwIfAborted()
    if (!signed) throw new KeybayError(signMessageMissing, { connectorId })
    return signed
  })
}

/**
 * Signs a transaction with the active account and returns its bytes; nothing is sent. Errors: `account_not_found`,
 * `feature_missing`, `user_rejected`.
 *
 * @example const sign = useSignTransaction(); const bytes = await sign.runAsync({ transaction, chain: 'solana:devnet' })
 */
export const useSignTransaction = (): Action<[input: SignTransactionInput], Uint8Array> => {
  const keybay = useCore()
  return useAction(async (signal, { transaction, chain, account: key }: SignTransactionInput) => {
    const [{ connectorId, walletAccount }, wallet] = signerOf(keybay, key)
    const feature = wallet.features['solana:signTransaction']
    const missing = () => new KeybayError(featureMissing, { connectorId, detail: 'signTransaction' })
    if (!feature) throw missing()
    const [signed] = await feature.signTransaction({ account: walletAccount, transaction, ...(chain && { chain }) })
    signal.throwIfAborted()
    if (!signed) throw missing()
    return signed.signedTransaction
  })
}
