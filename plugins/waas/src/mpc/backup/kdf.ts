/** The key of a password: argon2id as a parameter, because it runs in a worker, in WebAssembly or in JavaScript. */
import { backupParameters, fault } from '../errors.js'

/** argon2id, version 0x13. */
export interface KdfParameters {
  readonly memoryKiB: number
  readonly iterations: number
  readonly parallelism: number
}
/** 32 bytes. */
export type Argon2id = (
  password: Uint8Array,
  salt: Uint8Array,
  parameters: KdfParameters,
) => Promise<Uint8Array> | Uint8Array

/** The minimum, which new backups use: 64 MiB, 3 passes. About 0.9 s in JavaScript, 0.3 s in WebAssembly. */
export const KDF_FLOOR: KdfParameters = { memoryKiB: 64 * 1024, iterations: 3, parallelism: 1 }
/** The maximum: more would let a file occupy the machine that opens it. */
export const KDF_CEILING: KdfParameters = { memoryKiB: 256 * 1024, iterations: 10, parallelism: 4 }

/** Runs before anything is derived. @throws `mpc_backup_parameters` */
export function checkKdf(parameters: KdfParameters): void {
  const within = (value: number, floor: number, ceiling: number): boolean =>
    Number.isInteger(value) && value >= floor && value <= ceiling
  const { memoryKiB, iterations, parallelism } = parameters
  if (
    !within(memoryKiB, KDF_FLOOR.memoryKiB, KDF_CEILING.memoryKiB) ||
    !within(iterations, KDF_FLOOR.iterations, KDF_CEILING.iterations) ||
    !within(parallelism, KDF_FLOOR.parallelism, KDF_CEILING.parallelism)
  )
    throw fault(backupParameters, 'backup')
}

/** argon2id in JavaScript, which needs no `wasm-unsafe-eval`. Loaded at the call: a page with a worker never calls it. */
export const nobleArgon2id: Argon2id = async (password, salt, { memoryKiB, iterations, parallelism }) => {
  const { argon2idAsync } = await import('@noble/hashes/argon2.js')
  return argon2idAsync(password, salt, { m: memoryKiB, t: iterations, p: parallelism, dkLen: 32 })
}
