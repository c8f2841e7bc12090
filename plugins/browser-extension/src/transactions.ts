/**
 * Injected providers take and return web3.js objects, where the Wallet Standard has bytes. A legacy transaction travels as a
 * `VersionedTransaction` with a legacy message, which keeps every byte; a wallet may return either class, of any copy.
 */
import { VersionedTransaction } from '@solana/web3.js'

export function deserialize(bytes: Uint8Array): VersionedTransaction {
  return VersionedTransaction.deserialize(bytes)
}
/** Returns undefined for a value that is not a transaction. */
export function serialize(signed: unknown): Uint8Array | undefined {
  if (!isTransaction(signed)) return undefined
  // The older class throws while another signer is missing. The newer one takes no options.
  const bytes = signed.serialize({ requireAllSignatures: false, verifySignatures: false })
  return ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice()
    : undefined
}

function isTransaction(value: unknown): value is { serialize(options: object): unknown } {
  return typeof value === 'object' && value !== null && 'serialize' in value && typeof value.serialize === 'function'
}
