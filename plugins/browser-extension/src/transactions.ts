/**
 * Injected providers take and give web3.js's objects, where Wallet Standard has bytes. A legacy transaction travels as a
 * `VersionedTransaction` with a legacy message, which keeps every byte; what comes back may be either class, of any copy.
 */
import { VersionedTransaction } from '@solana/web3.js'

export function read(bytes: Uint8Array): VersionedTransaction {
  return VersionedTransaction.deserialize(bytes)
}

/** @returns undefined when it is no transaction */
export function write(signed: unknown): Uint8Array | undefined {
  const { serialize } = Object(signed)
  if (typeof serialize !== 'function') return undefined
  // For the older class: another signer may still be missing. The newer one takes no options.
  const bytes: unknown = serialize.call(signed, { requireAllSignatures: false, verifySignatures: false })
  return ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice()
    : undefined
}
