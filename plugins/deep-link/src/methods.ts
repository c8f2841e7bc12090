/** The four signing methods: the payload of each, and the check of its response. */
import { equalBytes, field } from '@keybay/kernel/spec'
import { decode, isSignature, KEY_BYTES, SIGNATURE_BYTES } from './exchange.js'
import type { DeepLinkOutput, DeepLinkSigning } from './results.js'

interface Method<M extends DeepLinkSigning> {
  /** @param inputs messages or transactions, base58 */
  payload(inputs: readonly string[]): object
  /** Returns undefined for a response that does not match the request. */
  read(answer: unknown, inputs: readonly string[], signer: Uint8Array): readonly DeepLinkOutput<M>[] | undefined
}
/** How the wallet shows a message. https://docs.phantom.com/phantom-deeplinks/provider-methods/signmessage */
function getDisplay(message: Uint8Array | undefined): 'utf8' | 'hex' {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(message)
    return 'utf8'
  } catch {
    return 'hex'
  }
}
/** Reads Solana's compact-u16, and returns the offset behind it. https://solana.com/docs/core/transactions */
function readLength(bytes: Uint8Array, offset: number): { readonly length: number; readonly next: number } {
  let length = 0
  for (let index = 0; index < 3; index++) {
    const byte = bytes[offset + index] ?? 0
    length |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return { length, next: offset + index + 1 }
  }
  return { length: 0, next: offset }
}
/** True if the account is a signer and its signature is valid. */
export function isSignedBy(transaction: Uint8Array, publicKey: Uint8Array): boolean {
  const { length: signatures, next: signaturesAt } = readLength(transaction, 0)
  const message = transaction.subarray(signaturesAt + signatures * SIGNATURE_BYTES)
  // A versioned message starts with its version; a header of three bytes follows.
  const header = (message[0] ?? 0) >= 0x80 ? 1 : 0
  const { length: keys, next: keysAt } = readLength(message, header + 3)
  for (let index = 0; index < Math.min(signatures, keys); index++) {
    const key = message.subarray(keysAt + index * KEY_BYTES, keysAt + (index + 1) * KEY_BYTES)
    if (!equalBytes(key, publicKey)) continue
    const at = signaturesAt + index * SIGNATURE_BYTES
    return isSignature(message, transaction.subarray(at, at + SIGNATURE_BYTES), publicKey)
  }
  return false
}
/** A wallet may add instructions that protect the user, so the signed transaction may differ from the requested one. */
function readTransactions(answers: unknown, inputs: readonly string[], signer: Uint8Array) {
  if (!Array.isArray(answers) || answers.length !== inputs.length) return undefined
  const transactions = answers.map(answer => decode(answer) ?? new Uint8Array())
  return transactions.every(transaction => isSignedBy(transaction, signer))
    ? transactions.map(signedTransaction => ({ signedTransaction }))
    : undefined
}

export const METHODS: { readonly [M in DeepLinkSigning]: Method<M> } = {
  signMessage: {
    payload: ([message]) => ({ message, display: getDisplay(decode(message)) }),
    read(answer, [input], signer) {
      const signature = decode(field(answer, 'signature'), SIGNATURE_BYTES)
      const signedMessage = decode(input)
      if (!signature || !signedMessage || !isSignature(signedMessage, signature, signer)) return undefined
      return [{ signedMessage, signature }]
    },
  },
  signTransaction: {
    payload: ([transaction]) => ({ transaction }),
    read: (answer, inputs, signer) => readTransactions([field(answer, 'transaction')], inputs, signer),
  },
  signAllTransactions: {
    payload: transactions => ({ transactions }),
    read: (answer, inputs, signer) => readTransactions(field(answer, 'transactions'), inputs, signer),
  },
  signAndSendTransaction: {
    payload: ([transaction]) => ({ transaction }),
    // The wallet keeps the transaction, so only the chain can confirm it.
    read(answer) {
      const signature = decode(field(answer, 'signature'), SIGNATURE_BYTES)
      return signature && [{ signature }]
    },
  },
}

export function isSigning(method: string): method is DeepLinkSigning {
  return Object.hasOwn(METHODS, method)
}
