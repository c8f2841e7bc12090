/** The four methods that sign: what each one sends, and how its answer is checked before anybody sees it. */
import { decode, isSignature, SIGNATURE_BYTES } from './exchange.js'
import type { DeepLinkOutput, DeepLinkSigning } from './results.js'
import { isSignedBy } from './transaction.js'

/** What was asked for; kept, sealed, until the answer is here. */
export interface Asked {
  /** Messages or transactions, base58. */
  readonly inputs: readonly string[]
}
interface Method<M extends DeepLinkSigning> {
  /** Besides the session's token. */
  payload(inputs: readonly string[]): object
  /** @returns undefined when it does not answer what was asked */
  read(answer: object, inputs: readonly string[], signer: Uint8Array): readonly DeepLinkOutput<M>[] | undefined
}

function field(answer: object, name: string): unknown {
  return Reflect.get(answer, name)
}
/** A wallet shows it so. https://docs.phantom.com/phantom-deeplinks/provider-methods/signmessage */
function displayOf(message: Uint8Array | undefined): 'utf8' | 'hex' {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(message)
    return 'utf8'
  } catch {
    return 'hex'
  }
}
/** A wallet may add instructions of its own, to protect the user; what it signed is what comes back. */
function signedTransactions(answers: unknown, inputs: readonly string[], signer: Uint8Array) {
  if (!Array.isArray(answers) || answers.length !== inputs.length) return undefined
  const transactions = answers.map(answer => decode(answer) ?? new Uint8Array())
  return transactions.every(transaction => isSignedBy(transaction, signer))
    ? transactions.map(signedTransaction => ({ signedTransaction }))
    : undefined
}

export const METHODS: { readonly [M in DeepLinkSigning]: Method<M> } = {
  signMessage: {
    payload: ([message]) => ({ message, display: displayOf(decode(message)) }),
    read(answer, [input], signer) {
      const signature = decode(field(answer, 'signature'), SIGNATURE_BYTES)
      const signedMessage = decode(input)
      if (!signature || !signedMessage || !isSignature(signedMessage, signature, signer)) return undefined
      return [{ signedMessage, signature }]
    },
  },
  signTransaction: {
    payload: ([transaction]) => ({ transaction }),
    read: (answer, inputs, signer) => signedTransactions([field(answer, 'transaction')], inputs, signer),
  },
  signAllTransactions: {
    payload: transactions => ({ transactions }),
    read: (answer, inputs, signer) => signedTransactions(field(answer, 'transactions'), inputs, signer),
  },
  signAndSendTransaction: {
    payload: ([transaction]) => ({ transaction }),
    // The transaction stays with the wallet: only the chain can say what it did.
    read(answer) {
      const signature = decode(field(answer, 'signature'), SIGNATURE_BYTES)
      return signature && [{ signature }]
    },
  },
}

export function isSigning(method: string): method is DeepLinkSigning {
  return Object.hasOwn(METHODS, method)
}
