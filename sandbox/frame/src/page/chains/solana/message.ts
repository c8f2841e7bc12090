/**
 * Limits messages to readable text and off-chain messages, and rejects bytes that a validator could accept as a
 * transaction of this or a future version. The relay has the same rule, but the frame does not rely on it.
 */
import { parseMessage, type ReadableMessage, readMessage } from '@keybay/waas/relay-client'
import { frameError } from '../../errors/errors.js'

function isTransactionMessage(bytes: Uint8Array): boolean {
  try {
    parseMessage(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * Returns a message for the user to read.
 * @param wallet the address that signs; if the message lists its signers, this address must be one of them
 * @throws KeybayError `frame_disguised_transaction`
 */
export function readableMessage(bytes: Uint8Array, wallet: string): ReadableMessage {
  const message = readMessage(bytes, wallet)
  if (!message || isTransactionMessage(bytes)) throw frameError('frame_disguised_transaction')
  return message
}
