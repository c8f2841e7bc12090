import { feeOf } from '../fees.js'
import { nonceAccountOf } from '../nonce.js'
import { invalidParams } from '../rpc-error.js'
import { type Message, readMessage } from '../wire.js'
import { inContext, type Methods, readAt } from './context.js'

/** Blockhashes and what a message costs. */
export const blockhashMethods: Methods = {
  getLatestBlockhash: {
    required: 0,
    run: (context, params) => {
      readAt(context, params.config(0))
      const { latest } = context.state.blockhashes
      // A fault: the client gets a blockhash that has just ended.
      if (context.faults.take('stale-blockhash')) {
        context.state.blockhashes.expire(latest.blockhash)
        context.state.advance()
      }
      return inContext(context, latest)
    },
  },
  isBlockhashValid: {
    required: 1,
    run: (context, params) => {
      const blockhash = params.pubkey(0)
      readAt(context, params.config(1))
      return inContext(context, context.state.blockhashes.isValid(blockhash))
    },
  },
  getFeeForMessage: {
    required: 1,
    run: (context, params) => {
      const bytes = Buffer.from(params.text(0), 'base64')
      readAt(context, params.config(1))
      const message = decodeMessage(bytes)
      const { state } = context
      const alive =
        state.blockhashes.isValid(message.recentBlockhash) || nonceAccountOf(state.vm, message) !== undefined
      return inContext(context, alive ? Number(feeOf(message)) : null)
    },
  },
}

function decodeMessage(bytes: Uint8Array): Message {
  try {
    return readMessage(bytes)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidParams(`failed to deserialize solana_message::versions::VersionedMessage: ${reason}`)
  }
}
