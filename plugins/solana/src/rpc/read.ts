/** Reads node responses field by field: an invalid shape becomes `rpc_malformed` instead of a later crash. */
import { fromBase64, KeybayError } from '@keybay/kernel/spec'
import { rpcMalformed } from '../errors.js'

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Parses like `JSON.parse`, but keeps integers of 16 digits and more exact, as strings: lamports and slots have up to 64 bits.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text.replace(STRING_OR_NUMBER, part => (/^-?\d{16,}$/.test(part) ? `"${part}"` : part)))
}
/** Returns the value at a path, or undefined. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

export function malformed(what: string): KeybayError {
  return new KeybayError(rpcMalformed, { details: { missing: what } })
}
/** Reads a natural number of any size. @throws KeybayError `rpc_malformed` */
export function toBigint(value: unknown, what: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value)
  throw malformed(what)
}
/** Reads a natural number that JavaScript represents exactly. @throws KeybayError `rpc_malformed` */
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
/** Reads program logs; empty if the node has not kept them. */
export function toLines(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
/** Reads base64. @throws KeybayError `rpc_malformed` */
export function toBytes(value: unknown, what: string): Uint8Array {
  try {
    if (typeof value === 'string') return fromBase64(value)
  } catch {
    // Invalid base64 is malformed too.
  }
  throw malformed(what)
}
