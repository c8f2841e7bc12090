/** Maximum fee of a transaction for its fee payer. */
import { toHex } from './policy.js'
import { COMPUTE_BUDGET } from './programs.js'
import { getReader } from './reader.js'
import type { TransactionMessage } from './transaction.js'

const LAMPORTS_PER_SIGNATURE = 5_000n
const UNITS_PER_INSTRUCTION = 200_000
const MAX_UNITS = 1_400_000
const MICRO = 1_000_000n
const computeBudget = toHex(COMPUTE_BUDGET)
/** Programs whose instructions contain signatures, each with its own price. */
const PRECOMPILES: ReadonlySet<string> = new Set(
  [
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
  ].map(toHex),
)

/** Returns the fee in lamports. @throws Refusal `malformed` */
export function getFee({ signers, instructions }: TransactionMessage): bigint {
  let units: number | undefined
  let price = 0n
  let signatures = signers
  for (const { program, data } of instructions) {
    if (PRECOMPILES.has(program)) signatures += data[0] ?? 0
    if (program !== computeBudget) continue
    if (data[0] === 2) units = getReader(data.subarray(1)).u32()
    if (data[0] === 3) price = getReader(data.subarray(1)).u64()
  }
  const paid = Math.min(units ?? UNITS_PER_INSTRUCTION * instructions.length, MAX_UNITS)
  const priority = (price * BigInt(paid) + MICRO - 1n) / MICRO
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + priority
}
