/**
 * Injected providers take and return web3.js objects, where the Wallet Standard has bytes. A legacy transaction travels as a
 * `VersionedTransaction` with a legacy message, which keeps every byte; a wallet may return either class, of any copy.
 */
import { VersionedTransaction } from '@solana/web3.js'

export function deserialize(bytes: Uint8Array): VersionedTransaction {
  return VersionedTransaction.deserialize(bytes)
}
/** Returns undefined for a value that is not a transaction, and for one that this account did not sign. */
export function serialize(signed: unknown, signer: string | undefined): Uint8Array | undefined {
  if (!isTransaction(signed)) return undefined
  // The older class throws while another signer is missing. The newer one takes no options.
  const view = signed.serialize({ requireAllSignatures: false, verifySignatures: false })
  if (!ArrayBuffer.isView(view)) return undefined
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice()
  return isSigned(bytes, signer) ? bytes : undefined
}

/** A wallet may add instructions that protect the user, so only the account's signature must be there. */
function isSigned(bytes: Uint8Array, signer: string | undefined): boolean {
  try {
    const { message, signatures } = deserialize(bytes)
    const index = message.staticAccountKeys.findIndex(key => key.toBase58() === signer)
    return signatures[index]?.some(byte => byte) ?? false
  } catch {
    return false
  }
}

function isTransaction(value: unknown): value is { serialize(options: object): unknown } {
  return typeof value === 'object' && value !== null && 'serialize' in value && typeof value.serialize === 'function'
}
