/** Plain messages that may be signed: text that cannot pass for a transaction, and Solana's off-chain messages. */
import { type ReadableMessage, readMessage } from '@keybay/waas/relay-client'
import bs58 from 'bs58'
import { Refusal } from './refusal.js'
import { readTransaction } from './transaction.js'

function isTransaction(bytes: Uint8Array): boolean {
  try {
    readTransaction(bytes)
    return true
  } catch {
    return false
  }
}

/** @throws Refusal `message` */
export function checkMessage(bytes: Uint8Array, wallet: Uint8Array): ReadableMessage {
  const message = readMessage(bytes, bs58.encode(wallet))
  if (!message || isTransaction(bytes)) throw new Refusal('message')
  return message
}
