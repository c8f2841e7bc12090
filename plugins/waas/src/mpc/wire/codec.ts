/** A package: the format's version, its kind, its fields, and no byte after them. */
import { KeybayError } from '@keybay/kernel/spec'
import { fault, packageMalformed, pointInvalid } from '../errors.js'
import { getGroup } from '../group.js'
import { malformed, type PointCheck, reader, writer } from './buffers.js'
import type { Field } from './fields.js'

/** Version of the package format; other versions are refused. */
const VERSION = 1

export interface Codec<T> {
  readonly kind: number
  readonly field: Field<T>
}

/** Requires a canonical point of the prime-order group that is not the identity. */
export const strictPoints: PointCheck = (curve, point) => getGroup(curve).check(point)

/**
 * Returns the bytes of a package. @throws `mpc_package_malformed` for a value without an encoding
 * @example const bytes = encode(codecs.signCommitment, attempt.commitment)
 */
export function encode<T>({ kind, field }: Codec<T>, value: NoInfer<T>): Uint8Array {
  const to = writer()
  to.put(Uint8Array.of(VERSION, kind))
  try {
    field.write(to, value)
  } catch {
    throw fault(packageMalformed, 'encode')
  }
  return to.bytes()
}

/**
 * Reads a package from any bytes.
 * @param checkPoint `anyPoint` for a `CoSigner` or `FrameSigner`, which check each point themselves
 * @throws `mpc_package_malformed` for anything but the one encoding; `mpc_point_invalid` for a bad point
 * @example const { party, hash } = decode(codecs.dkgCommitment, body)
 */
export function decode<T>({ kind, field }: Codec<T>, bytes: Uint8Array, checkPoint: PointCheck = strictPoints): T {
  const from = reader(bytes, (curve, point) => {
    try {
      checkPoint(curve, point)
    } catch {
      throw fault(pointInvalid, 'decode')
    }
  })
  try {
    if (from.byte() !== VERSION || from.byte() !== kind) throw malformed()
    const value = field.read(from)
    if (!from.done()) throw malformed()
    return value
  } catch (error) {
    if (error instanceof KeybayError) throw error
    throw fault(packageMalformed, 'decode')
  }
}
