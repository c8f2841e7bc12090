/** The four signing methods: the payload of each, and the check of its response. */
import { field } from '@keybay/kernel/spec'
import { decode, isSignature, SIGNATURE_BYTES } from './exchange.js'
import type { DeepLinkOutput, DeepLinkSigning } from './results.js'
import { isSignedBy } from './transaction.js'

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
