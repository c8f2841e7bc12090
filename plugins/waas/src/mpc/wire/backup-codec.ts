/** The content of a backup. Its header names the owners of the secrets, in the same order. */
import { SEALED_SEED_BYTES } from '../seed.js'
import type { Curve } from '../types.js'
import type { Codec } from './codec.js'
import { fixed, getScalar, list, optional, record } from './fields.js'

interface BackupSecrets {
  readonly secrets: readonly Uint8Array[]
  readonly sealedSeed: Uint8Array | undefined
}

function getSecrets(curve: Curve, kind: number): Codec<BackupSecrets> {
  return {
    kind,
    field: record<BackupSecrets>({ secrets: list(getScalar(curve)), sealedSeed: optional(fixed(SEALED_SEED_BYTES)) }),
  }
}
export const backupSecrets: Readonly<Record<Curve, Codec<BackupSecrets>>> = {
  ed25519: getSecrets('ed25519', 50),
  secp256k1: getSecrets('secp256k1', 51),
}
