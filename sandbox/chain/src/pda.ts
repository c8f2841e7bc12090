import { createHash } from 'node:crypto'
import { fromBase58, toBase58 } from './base58.js'
import { ASSOCIATED_TOKEN_PROGRAM } from './programs.js'

const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

function mod(value: bigint): bigint {
  return ((value % P) + P) % P
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = mod(base), rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

/** Whether 32 bytes are a point of Ed25519 (RFC 8032 §5.1.3): x² = (y² − 1) / (dy² + 1) must have a root. */
function isOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n)
  const square = mod(y * y)
  const ratio = mod((square - 1n) * (D * square + 1n))
  return ratio === 0n || power(ratio, (P - 1n) / 2n) === 1n
}

/** The address that a program signs for with these seeds: the first, from bump 255 down, that is no point of the curve. */
function programAddress(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
    for (const seed of seeds) hash.update(seed)
    hash
      .update(Buffer.from([bump]))
      .update(fromBase58(program))
      .update('ProgramDerivedAddress')
    const address = hash.digest()
    if (!isOnCurve(address)) return toBase58(address)
  }
  throw new Error('no program address for these seeds')
}

/** Where a wallet keeps its tokens of one mint. */
export function associatedTokenAddress(owner: string, mint: string, tokenProgram: string): string {
  return programAddress([fromBase58(owner), fromBase58(tokenProgram), fromBase58(mint)], ASSOCIATED_TOKEN_PROGRAM)
}

/** The address of createAccountWithSeed. */
export function seededAddress(base: string, seed: string, owner: string): string {
  return toBase58(createHash('sha256').update(fromBase58(base)).update(seed).update(fromBase58(owner)).digest())
}
