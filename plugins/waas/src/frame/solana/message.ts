/**
 * What may be signed as a message: plain text, or an off-chain message by Solana's rules. Never what a validator could take
 * for a transaction, of this version or one to come. The relay holds the same rule; the frame does not rely on that.
 */
import { KeybayError } from '@keybay/kernel'
import { disguisedTransaction } from '../errors.js'
import { parseMessage } from './transaction.js'

const OFF_CHAIN = Uint8Array.from([0xff, ...new TextEncoder().encode('solana offchain')])
/** After the domain: header version, 32 bytes of application domain, format, number of signers. */
const SIGNERS_AT = OFF_CHAIN.length + 1 + 32 + 1

const isText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Its text, when the bytes are a whole off-chain message of version 0: readable, and of no other length than it says. */
const offChainText = (bytes: Uint8Array): string | undefined => {
  if (OFF_CHAIN.some((byte, index) => bytes[index] !== byte)) return undefined
  const signers = bytes[SIGNERS_AT] ?? 0
  const lengthAt = SIGNERS_AT + 1 + signers * 32
  const format = bytes[SIGNERS_AT - 1] ?? 3
  const length = (bytes[lengthAt] ?? 0) | ((bytes[lengthAt + 1] ?? 0) << 8)
  const body = bytes.subarray(lengthAt + 2)
  if (bytes[OFF_CHAIN.length] !== 0 || signers === 0 || format > 2 || length === 0 || body.length !== length)
    return undefined
  return isText(body)
}
const isTransactionMessage = (bytes: Uint8Array): boolean => {
  try {
    parseMessage(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * The text that the person reads.
 *
 * @throws KeybayError `frame_disguised_transaction`
 */
export const readableMessage = (bytes: Uint8Array): string => {
  const text = (bytes[0] ?? 0) >= 0x80 && bytes[0] === 0xff ? offChainText(bytes) : isText(bytes)
  if (text === undefined || isTransactionMessage(bytes)) throw new KeybayError(disguisedTransaction)
  return text
}
