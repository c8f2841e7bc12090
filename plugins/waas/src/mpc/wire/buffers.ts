/** Writers and readers of bytes. A reader knows how to check points, and raises one error for every fault. */
import { concatBytes } from '@noble/curves/utils.js'
import { createCopy } from '../bytes.js'
import { fault, packageMalformed } from '../errors.js'
import type { Curve } from '../types.js'

/** Throws unless the bytes are a usable point. */
export type PointCheck = (curve: Curve, point: Uint8Array) => void

export interface Writer {
  readonly put: (bytes: Uint8Array) => void
  readonly bytes: () => Uint8Array
}
export interface Reader {
  /** Returns a copy of the next bytes. */
  readonly take: (length: number) => Uint8Array
  readonly byte: () => number
  readonly done: () => boolean
  readonly checkPoint: PointCheck
}

export function malformed(): Error {
  return fault(packageMalformed, 'decode')
}

export function writer(): Writer {
  const parts: Uint8Array[] = []
  return { put: bytes => void parts.push(bytes), bytes: () => concatBytes(...parts) }
}

export function reader(bytes: Uint8Array, checkPoint: PointCheck): Reader {
  let offset = 0
  const take = (length: number): Uint8Array => {
    if (offset + length > bytes.length) throw malformed()
    offset += length
    return createCopy(bytes, offset - length, offset)
  }
  return { take, byte: () => take(1)[0] ?? 0, done: () => offset === bytes.length, checkPoint }
}
