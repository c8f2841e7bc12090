/** The fields of packages. Each value has exactly one encoding; reading refuses every other. */
import { erase } from '../bytes.js'
import { getGroup } from '../group.js'
import { PARTIES, type Party } from '../parties.js'
import type { Curve } from '../types.js'
import { malformed, type Reader, type Writer } from './buffers.js'

export interface Field<T> {
  readonly write: (to: Writer, value: T) => void
  readonly read: (from: Reader) => T
}

/** Bytes of a fixed length. */
export function fixed(length: number): Field<Uint8Array> {
  return {
    write: (to, value) => {
      if (value.length !== length) throw malformed()
      to.put(value)
    },
    read: from => from.take(length),
  }
}

const u8: Field<number> = {
  write: (to, value) => {
    if (!Number.isInteger(value) || value < 0 || value > 255) throw malformed()
    to.put(Uint8Array.of(value))
  },
  read: from => from.byte(),
}

/** 0 to 2³² − 1. */
export const u32: Field<number> = {
  write: (to, value) => {
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) throw malformed()
    const bytes = new Uint8Array(4)
    new DataView(bytes.buffer).setUint32(0, value)
    to.put(bytes)
  },
  read: from => new DataView(from.take(4).buffer).getUint32(0),
}

/** 1 to 64 visible ASCII characters. */
export const id: Field<string> = {
  write: (to, value) => {
    if (!/^[!-~]{1,64}$/.test(value)) throw malformed()
    u8.write(to, value.length)
    to.put(Uint8Array.from(value, character => character.charCodeAt(0)))
  },
  read: from => {
    const value = String.fromCharCode(...from.take(u8.read(from)))
    if (!/^[!-~]{1,64}$/.test(value)) throw malformed()
    return value
  },
}

/** An item of a list, by its index; indexes begin at `first`. */
export function oneOf<T>(values: readonly T[], first: number, same: (a: T, b: T) => boolean = Object.is): Field<T> {
  return {
    write: (to, value) => {
      const place = values.findIndex(item => same(item, value))
      if (place < 0) throw malformed()
      u8.write(to, place + first)
    },
    read: from => {
      const value = values[u8.read(from) - first]
      if (value === undefined) throw malformed()
      return value
    },
  }
}

/** A party, by its identifier. */
export const party: Field<Party> = oneOf(PARTIES, 1)

const CURVES: readonly Curve[] = ['ed25519', 'secp256k1']
export const curve: Field<Curve> = oneOf(CURVES, 1)

/** At most 16. */
export function list<T>(item: Field<T>): Field<readonly T[]> {
  return {
    write: (to, values) => {
      if (values.length > 16) throw malformed()
      u8.write(to, values.length)
      for (const value of values) item.write(to, value)
    },
    read: from => {
      const length = u8.read(from)
      if (length > 16) throw malformed()
      return Array.from({ length }, () => item.read(from))
    },
  }
}

export function optional<T>(item: Field<T>): Field<T | undefined> {
  return {
    write: (to, value) => {
      u8.write(to, value === undefined ? 0 : 1)
      if (value !== undefined) item.write(to, value)
    },
    read: from => {
      const present = u8.read(from)
      if (present > 1) throw malformed()
      return present ? item.read(from) : undefined
    },
  }
}

/** A canonical scalar that is not zero. */
export function getScalar(curve: Curve): Field<Uint8Array> {
  const check = (bytes: Uint8Array): void => {
    // Read when needed: a codec may exist for a curve that is not enabled.
    const { Fn } = getGroup(curve)
    if (bytes.length !== 32 || Fn.is0(Fn.fromBytes(bytes))) throw malformed()
  }
  return {
    write: (to, value) => {
      check(value)
      to.put(value)
    },
    read: from => {
      const bytes = from.take(32)
      try {
        check(bytes)
      } catch (error) {
        erase(bytes)
        throw error
      }
      return bytes
    },
  }
}

/** A point, checked by the reader's check. */
export function getPoint(curve: Curve): Field<Uint8Array> {
  const bytes = () => fixed(getGroup(curve).pointBytes)
  return {
    write: (to, value) => bytes().write(to, value),
    read: from => {
      const point = bytes().read(from)
      from.checkPoint(curve, point)
      return point
    },
  }
}

/** Fields in the order in which they are named. */
export function record<T extends object>(fields: { readonly [K in keyof T]: Field<T[K]> }): Field<T> {
  const names = keysOf(fields)
  return {
    write: (to, value) => {
      for (const name of names) fields[name].write(to, value[name])
    },
    // Typed as a list of unknown fields: TypeScript cannot see that the names are those of T.
    read: from => Object.fromEntries(names.map((name): readonly unknown[] => [name, fields[name].read(from)])),
  }
}

function keysOf<T extends object>(value: T): readonly (keyof T)[] {
  const names: (keyof T)[] = []
  for (const name in value) names.push(name)
  return names
}
