/** Reads a serialised Solana transaction (legacy and version 0), as far as a wallet needs to show and sign it. */
import bs58 from 'bs58'
import { createReader, type Reader } from './bytes.js'
import { invalidParameters } from './errors.js'

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32

export interface Instruction {
  readonly program: string
  /** Addresses; undefined for an address from a lookup table, which is not known here. */
  readonly accounts: readonly (string | undefined)[]
  readonly data: Uint8Array
}
export interface Transaction {
  readonly version: 'legacy' | 0
  /** Addresses whose signatures the transaction needs, in order; the first pays the fee. */
  readonly signers: readonly string[]
  readonly instructions: readonly Instruction[]
  /** Bytes to sign. */
  readonly message: Uint8Array
  /** Offset of the signatures in the serialised transaction, in bytes. */
  readonly signaturesAt: number
}

/** @throws Error "Invalid transaction" */
export function readTransaction(bytes: Uint8Array): Transaction {
  try {
    const reader = createReader(bytes)
    const signatures = reader.length()
    const signaturesAt = reader.offset
    reader.take(signatures * SIGNATURE_BYTES)
    const message = reader.rest()
    const body = readMessage(createReader(message))
    if (body.signers.length !== signatures) throw new RangeError('The number of signatures is wrong')
    return { ...body, message, signaturesAt }
  } catch (cause) {
    throw Object.assign(invalidParameters('Invalid transaction'), { cause })
  }
}

function readMessage(reader: Reader): Pick<Transaction, 'version' | 'signers' | 'instructions'> {
  const first = reader.byte()
  const versioned = first >= 0x80
  if (versioned && first !== 0x80) throw new RangeError(`Version ${first & 0x7f} is not supported`)
  const signerCount = versioned ? reader.byte() : first
  reader.take(2)
  const keys = Array.from({ length: reader.length() }, () => bs58.encode(reader.take(KEY_BYTES)))
  reader.take(KEY_BYTES)
  const instructions = Array.from({ length: reader.length() }, () => {
    const program = keys[reader.byte()]
    if (program === undefined) throw new RangeError('A program must be among the keys of the message itself')
    const accounts = [...reader.take(reader.length())].map(index => keys[index])
    return { program, accounts, data: reader.take(reader.length()) }
  })
  if (signerCount === 0 || signerCount > keys.length) throw new RangeError('The transaction has no signer')
  return { version: versioned ? 0 : 'legacy', signers: keys.slice(0, signerCount), instructions }
}

/**
 * Returns a copy of the transaction with the signature of `address` added; other signatures stay.
 * @throws Error if the transaction does not need a signature of this address
 */
export function signTransaction(bytes: Uint8Array, address: string, sign: (message: Uint8Array) => Uint8Array) {
  const { signers, message, signaturesAt } = readTransaction(bytes)
  const index = signers.indexOf(address)
  if (index < 0) throw invalidParameters('This account is not a signer of the transaction')
  const signed = new Uint8Array(bytes)
  signed.set(sign(message), signaturesAt + index * SIGNATURE_BYTES)
  return signed
}

/** Returns the first signature, which is the transaction's id. */
export function transactionSignature(bytes: Uint8Array): Uint8Array {
  const { signaturesAt } = readTransaction(bytes)
  return bytes.slice(signaturesAt, signaturesAt + SIGNATURE_BYTES)
}
