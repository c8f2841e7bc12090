/** Solana methods that a page may request. Bytes travel as base58. */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { invalidParameters, notAuthorised } from '../../errors.js'
import { sendTransaction } from '../../rpc.js'
import { readTransaction, signTransaction } from '../../transaction.js'
import { getActive } from './state.js'
import { ask, type Context, done, field, type Method } from './step.js'

function decodeBytes(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? bs58.decodeUnsafe(value) : undefined
  if (!bytes) throw invalidParameters('Bytes are sent as base58')
  return bytes
}
/** @throws Phantom's error for a page that the wallet does not know */
function trustedAccount({ state, origin }: Context) {
  if (!state.trusted.includes(origin)) throw notAuthorised()
  return getActive(state)
}

function signTransactions(context: Context, encoded: readonly unknown[], send: boolean) {
  const { solana: address, keys } = trustedAccount(context)
  const inputs = encoded.map(decodeBytes)
  const transactions = inputs.map(readTransaction)
  if (transactions.some(({ signers }) => !signers.includes(address)))
    throw invalidParameters('This account is not a signer of the transaction')
  const secretKey = bs58.decode(keys.solana)
  const { origin, rpcUrl } = context
  // The only chain of this wallet.
  const chain = 'solana:localnet'
  return ask({ kind: 'transaction', origin, address, chain, transactions, send, rpcUrl }, async () => {
    const signed = inputs.map(bytes =>
      signTransaction(bytes, address, message => nacl.sign.detached(message, secretKey)),
    )
    if (!send) return signed.map(bytes => bs58.encode(bytes))
    const signatures: string[] = []
    // In order, because a later transaction may depend on an earlier one.
    for (const bytes of signed) signatures.push(bs58.encode(await sendTransaction(rpcUrl, bytes)))
    return signatures
  })
}

function toList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || !value.length) throw invalidParameters('There is no transaction')
  return value
}

export const solanaMethods: Readonly<Record<string, Method>> = {
  async 'solana.connect'({ state, origin, store }, params) {
    const { solana: address } = getActive(state)
    if (state.trusted.includes(origin)) return done({ address })
    if (field(params, 'silent') === true) return done({})
    return ask({ kind: 'connect', origin, address }, async () => {
      await store.update(({ trusted }) => ({
        trusted: [...trusted.filter(trustedOrigin => trustedOrigin !== origin), origin],
      }))
      return { address }
    })
  },
  async 'solana.signMessage'(context, params) {
    const { solana: address, keys } = trustedAccount(context)
    const message = decodeBytes(field(params, 'message'))
    return ask(
      { kind: 'message', origin: context.origin, address, messages: [message], hardware: false },
      async () => ({ address, signature: bs58.encode(nacl.sign.detached(message, bs58.decode(keys.solana))) }),
    )
  },
  'solana.signTransactions': async (context, params) =>
    signTransactions(context, toList(field(params, 'transactions')), false),
  'solana.signAndSendTransactions': async (context, params) =>
    signTransactions(context, toList(field(params, 'transactions')), true),
}
