/** What a node says is read field by field: a wrong shape becomes `rpc_malformed` and never a crash further on. */
import { fromBase64, KeybayError } from '@keybay/kernel/spec'
import { rpcMalformed } from '../errors.js'

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** `JSON.parse` that keeps integers of 16 digits and more exact, as strings: lamports and slots have up to 64 bits. */
export function parseExact(text: string): unknown {
  return JSON.parse(text.replace(STRING_OR_NUMBER, part => (/^-?\d{16,}$/.test(part) ? `"${part}"` : part)))
}

/** The value under a path, or undefined. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

/** The error of an answer that lacks something. */
export function malformed(what: string): KeybayError {
  return new KeybayError(rpcMalformed, { details: { missing: what } })
}

/** A natural number of any size. @throws KeybayError `rpc_malformed` */
export function toBigint(value: unknown, what: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value)
  throw malformed(what)
}
/** A natural number that JavaScript counts exactly. @throws KeybayError `rpc_malformed` */
export function toNumber(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw malformed(what)
}
/** @throws KeybayError `rpc_malformed` */
export function toText(value: unknown, what: string): string {
  if (typeof value === 'string' && value) return value
  throw malformed(what)
}
/** @throws KeybayError `rpc_malformed` */
export function toList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw malformed(what)
}
/** What programs wrote; nothing where the node has not kept it. */
export function toLines(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
/** Base64. @throws KeybayError `rpc_malformed` */
export function toBytes(value: unknown, what: string): Uint8Array {
  try {
    if (typeof value === 'string') return fromBase64(value)
  } catch {
    // No base64: the same.
  }
  throw malformed(what)
}
