/** Bytes as text and back, texts that nobody can guess, and comparing them. */
/** 128 bits that nobody can guess, as base64url. */
export function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)))
}

/** @param bytes not so many that a call could not take them as arguments: 64 KiB are fine */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), char => char.charCodeAt(0))
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Takes as long for any two texts of one length. */
export function sameText(a: string, b: string): boolean {
  let differences = a.length ^ b.length
  for (let i = 0; i < b.length; i++) differences |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return differences === 0
}
