/** The content of a backup. Its header names the owners of the secrets, in the same order. */
import { SEALED_SEED_BYTES } from '../seed.js'
import type { Curve } from '../types.js'
import type { Codec } from './codec.js'
import { fixed, list, optional, record, scalarOf } from './fields.js'

interface BackupSecrets {
  readonly secrets: readonly Uint8Array[]
  readonly sealedSeed: Uint8Array | undefined
}

function secretsOf(curve: Curve, kind: number): Codec<BackupSecrets> {
  return {
    kind,
    field: record<BackupSecrets>({
      secrets: list(scalarOf(curve)),
      sealedSeed: optional(fixed(SEALED_SEED_BYTES)),
    }),
  }
}
export const backupSecrets: Readonly<Record<Curve, Codec<BackupSecrets>>> = {
  ed25519: secretsOf('ed25519', 50),
  secp256k1: secretsOf('secp256k1', 51),
}
