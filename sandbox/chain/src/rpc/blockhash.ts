import type { IssuedBlockhash } from '../blockhashes.js'
import { getFee } from '../fees.js'
import { getNonceAccount } from '../nonce.js'
import { invalidParams } from '../rpc-error.js'
import { type Message, readMessage } from '../wire.js'
import { inContext, type Methods, method, type RpcContext, readAt } from './context.js'

/** Returns the newest blockhash; the `stale-blockhash` fault makes it expire at once. */
export function handOutBlockhash({ state, faults }: RpcContext): IssuedBlockhash {
  const { latest } = state.blockhashes
  if (faults.take('stale-blockhash')) {
    state.blockhashes.expire(latest.blockhash)
    state.advance()
  }
  return latest
}

export const blockhashMethods: Methods = {
  getLatestBlockhash: method(0, (context, params) => {
    readAt(context, params.config(0))
    return inContext(context, handOutBlockhash(context))
  }),
  isBlockhashValid: method(1, (context, params) => {
    const blockhash = params.pubkey(0)
    readAt(context, params.config(1))
    return inContext(context, context.state.blockhashes.isValid(blockhash))
  }),
  getFeeForMessage: method(1, (context, params) => {
    const bytes = Buffer.from(params.text(0), 'base64')
    readAt(context, params.config(1))
    const message = decodeMessage(bytes)
    const { state } = context
    const alive = state.blockhashes.isValid(message.recentBlockhash) || getNonceAccount(state.vm, message) !== undefined
    return inContext(context, alive ? Number(getFee(message)) : null)
  }),
}

function decodeMessage(bytes: Uint8Array): Message {
  try {
    return readMessage(bytes)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidParams(`failed to deserialize solana_message::versions::VersionedMessage: ${reason}`)
  }
}
