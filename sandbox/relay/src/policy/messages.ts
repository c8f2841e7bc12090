/** Plain messages that may be signed: text that cannot pass for a transaction, and Solana's off-chain messages. */

import { Refusal } from './refusal.js'
import { getReader, readTransaction } from './transaction.js'

const OFFCHAIN_DOMAIN = Buffer.from('\xffsolana offchain', 'latin1')
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Control characters except tab, line feed and carriage return. */
const CONTROL = /[^\P{Cc}\t\n\r]/u

function isTransaction(bytes: Uint8Array): boolean {
  try {
    readTransaction(bytes)
    return true
  } catch {
    return false
  }
}

function findText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Maximum bytes in formats 0 and 1, whose text a hardware wallet shows; format 2 is for longer texts. */
const MAX_SHORT = 1232

function isRightText(format: number, bytes: Uint8Array): boolean {
  if (format === 0) return bytes.length <= MAX_SHORT && bytes.every(byte => byte >= 0x20 && byte <= 0x7e)
  if (format > 2 || (format === 1 && bytes.length > MAX_SHORT)) return false
  const text = findText(bytes)
  return text !== undefined && !CONTROL.test(text)
}

/**
 * Recognises `\xffsolana offchain`, version 0: with application domain and signers as in the proposal, or with the
 * short header that Solana's command line writes.
 */
function isOffchain(bytes: Uint8Array, wallet: Uint8Array): boolean {
  if (!OFFCHAIN_DOMAIN.equals(bytes.subarray(0, OFFCHAIN_DOMAIN.length))) return false
  const body = bytes.subarray(OFFCHAIN_DOMAIN.length)
  return hasLongHeader(body, wallet) || hasShortHeader(body)
}

function attempt(check: () => boolean): boolean {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function hasLongHeader(body: Uint8Array, wallet: Uint8Array): boolean {
  return attempt(() => {
    const input = getReader(body)
    if (input.byte() !== 0) return false
    input.bytes(32)
    const format = input.byte()
    const signers = Array.from({ length: input.byte() }, () => Buffer.from(input.bytes(32)))
    const length = input.u16()
    return (
      length > 0 &&
      length === input.left &&
      signers.some(signer => signer.equals(wallet)) &&
      isRightText(format, input.bytes(length))
    )
  })
}

function hasShortHeader(body: Uint8Array): boolean {
  return attempt(() => {
    const input = getReader(body)
    if (input.byte() !== 0) return false
    const format = input.byte()
    const length = input.u16()
    return length > 0 && length === input.left && isRightText(format, input.bytes(length))
  })
}

/** @throws Refusal `message` */
export function checkMessage(bytes: Uint8Array, wallet: Uint8Array): void {
  const [first = 0] = bytes
  // 0x80 and above is the version byte of a transaction, now or later.
  if (first >= 0x80) {
    if (isOffchain(bytes, wallet)) return
    throw new Refusal('message')
  }
  const text = findText(bytes)
  if (text === undefined || CONTROL.test(text) || isTransaction(bytes)) throw new Refusal('message')
}
