/** Step 3: requests a signature from the wallet that holds the key. */
import type { Account, Kernel, WalletConnector } from '@keybay/kernel'
import {
  accountNotFound,
  invalidTransaction,
  KeybayError,
  signerNotFound,
  toBase64,
  toKeybayError,
  unsupportedChain,
} from '@keybay/kernel/spec'
import { chainOf } from '../chain.js'
import type { NetworkSummary } from '../networks.js'
import type { BuiltTransaction, SignedTransaction, SignOptions } from '../steps.js'
import { abortable, throwIfAborted } from '../timing.js'
import { readTransaction } from './wire.js'

type Wallets = Pick<Kernel, 'accounts' | 'connectors'>

/** Returns the sender if the app specifies none. @throws KeybayError `account_not_found` */
export function activeAddress({ accounts }: Pick<Wallets, 'accounts'>): string {
  const active = accounts.active('solana')
  if (!active) throw new KeybayError(accountNotFound)
  return active.address
}
/** Two wallets may hold the same address: prefers the active one. */
export function findAccount({ accounts }: Pick<Wallets, 'accounts'>, address: string): Account | undefined {
  return [accounts.active('solana'), ...accounts.list()].find(account => account?.address === address)
}
/** @throws KeybayError `signer_not_found` */
function findSigner(wallets: Wallets, address: string): readonly [Account, WalletConnector] {
  const account = findAccount(wallets, address)
  const connector = account && wallets.connectors.get(account.connectorId)
  if (!account || connector?.kind !== 'wallet') throw new KeybayError(signerNotFound)
  return [account, connector]
}
/** Checks that co-signers sign exactly what the wallet signed. @throws KeybayError `invalid_transaction` */
async function addSignatures(
  signed: Uint8Array,
  cosign: NonNullable<SignOptions['cosign']>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const complete = await abortable(cosign(new Uint8Array(signed)), signal)
  const [before, after] = [signed, complete].map(readTransaction)
  const isSame =
    before &&
    after &&
    toBase64(before.message) === toBase64(after.message) &&
    before.signatures.every((signature, index) => signature === undefined || signature === after.signatures[index])
  if (!isSame) throw new KeybayError(invalidTransaction, { details: { reason: 'a co-signer changed the transaction' } })
  return complete
}
/**
 * @throws KeybayError `signer_not_found`, `unsupported_chain`, `user_rejected`, `aborted`, `invalid_transaction` if the wallet's
 * response is not a fully signed transaction
 */
export async function signTransaction(
  wallets: Wallets,
  network: NetworkSummary,
  built: BuiltTransaction,
  { signal, cosign }: SignOptions,
): Promise<SignedTransaction> {
  const chain = chainOf(network)
  const requested = readTransaction(built.transaction)
  if (!requested.signers.includes(built.from)) throw new KeybayError(signerNotFound)
  const [{ walletAccount }, connector] = findSigner(wallets, built.from)
  const { id: connectorId, wallet } = connector
  if (!walletAccount.chains.includes(chain) && !wallet.chains.includes(chain))
    throw new KeybayError(unsupportedChain, { connectorId, details: { chain } })
  const feature = wallet.features['solana:signTransaction']
  if (!feature)
    throw new KeybayError(signerNotFound, {
      connectorId,
      details: { reason: 'the wallet has no solana:signTransaction' },
    })
  throwIfAborted(signal)
  const requestSignature = async () => {
    const input = { account: walletAccount, transaction: built.transaction, chain }
    const [output] = await feature.signTransaction({ ...input, ...(feature.signal && { signal }) })
    return output?.signedTransaction
  }
  const signed = await abortable(requestSignature(), signal).catch(error => {
    throw toKeybayError(error, connectorId)
  })
  if (!signed) throw new KeybayError(invalidTransaction, { connectorId })
  const transaction = cosign ? await addSignatures(signed, cosign, signal) : signed
  const { signers, signatures, blockhash } = readTransaction(transaction)
  const [signature] = signatures
  if (signature === undefined || signatures.includes(undefined) || !signers.includes(built.from))
    throw new KeybayError(invalidTransaction, { connectorId, details: { reason: 'a signature is missing' } })
  // A wallet may insert its own blockhash, whose expiry is unknown.
  const lastValidBlockHeight = blockhash === requested.blockhash ? built.lastValidBlockHeight : undefined
  return { ...built, transaction, signature, lastValidBlockHeight }
}
