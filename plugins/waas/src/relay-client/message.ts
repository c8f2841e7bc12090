/** Reads messages that wallets sign: plain text, or an off-chain message by Solana's rules. Frame and relay use it. */
import bs58 from 'bs58'

const OFF_CHAIN = Uint8Array.from([0xff, ...new TextEncoder().encode('solana offchain')])
const KEY = 32
/** Maximum length of formats 0 and 1, in bytes, which hardware wallets can display. */
const MAX_SHORT = 1232

export interface ReadableMessage {
  readonly text: string
  /** Application domain of an off-chain message, base58. Absent: the message names none. */
  readonly application?: string
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Reads the end that both headers share: the length of the text, and the text. */
function bodyText(format: number | undefined, bytes: Uint8Array): string | undefined {
  const [low = 0, high = 0] = bytes
  const body = bytes.subarray(2)
  if (body.length === 0 || body.length !== (low | (high << 8))) return undefined
  if (format !== 2 && body.length > MAX_SHORT) return undefined
  const text = decodeText(body)
  if (format === 0) return text !== undefined && /^[ -~]*$/.test(text) ? text : undefined
  return format === 1 || format === 2 ? text : undefined
}

/** Reads the header of the proposal: application domain, format and signers. */
function readLong(head: Uint8Array, wallet: string): ReadableMessage | undefined {
  const domain = head.subarray(0, KEY)
  const [format, count = 0] = head.subarray(KEY)
  const signersAt = KEY + 2
  const bodyAt = signersAt + count * KEY
  for (let at = signersAt; at < bodyAt; at += KEY)
    if (bs58.encode(head.subarray(at, at + KEY)) === wallet) {
      const text = bodyText(format, head.subarray(bodyAt))
      if (text === undefined) return undefined
      return domain.some(byte => byte !== 0) ? { text, application: bs58.encode(domain) } : { text }
    }
  return undefined
}

/** Reads an off-chain message of version 0, with the proposal's header or the short one of Solana's command line. */
function readOffChain(bytes: Uint8Array, wallet: string): ReadableMessage | undefined {
  if (OFF_CHAIN.some((byte, index) => bytes[index] !== byte)) return undefined
  const [version, format] = bytes.subarray(OFF_CHAIN.length)
  if (version !== 0) return undefined
  const head = bytes.subarray(OFF_CHAIN.length + 1)
  const text = bodyText(format, head.subarray(1))
  return readLong(head, wallet) ?? (text === undefined ? undefined : { text })
}

/**
 * Returns the text of a message; undefined for bytes that are neither text nor an off-chain message. Text can still be
 * a transaction, which the caller rules out.
 * @param wallet the address that signs; if the message lists its signers, this address must be one of them
 */
export function readMessage(bytes: Uint8Array, wallet: string): ReadableMessage | undefined {
  // A first byte of 0x80 or more is the version byte of a transaction, now or in the future.
  if ((bytes[0] ?? 0) >= 0x80) return readOffChain(bytes, wallet)
  const text = decodeText(bytes)
  return text === undefined ? undefined : { text }
}
