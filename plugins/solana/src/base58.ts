/** Base58 with Bitcoin's alphabet, which Solana uses. Numbers here are at most 64 bytes, so a BigInt is quick enough. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** How many bytes the text decodes to; -1 when it is no base58. */
function base58Length(text: string): number {
  let value = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return -1
    value = value * 58n + BigInt(digit)
  }
  const zeros = text.length - text.replace(/^1+/, '').length
  return zeros + (value ? Math.ceil(value.toString(16).length / 2) : 0)
}

export function encodeBase58(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let text = ''
  for (; value; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text
  const zeros = bytes.findIndex(byte => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

/** S5.4: 32–44 base58 characters; and they must decode to 32 bytes, as the chain demands. */
export function isAddress(address: unknown): address is string {
  return typeof address === 'string' && address.length > 31 && address.length < 45 && base58Length(address) === 32
}
