import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { ASSOCIATED_TOKEN_PROGRAM } from './programs.js'

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    // Decodes like a validator: ZIP 215, in which several encodings may represent the same point.
    ed25519.Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

/** Returns the address that a program signs for with these seeds: the first off the curve from bump 255 down. */
function programAddress(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
    for (const seed of seeds) hash.update(seed)
    hash
      .update(Buffer.from([bump]))
      .update(bs58.decode(program))
      .update('ProgramDerivedAddress')
    const address = hash.digest()
    if (!isOnCurve(address)) return bs58.encode(address)
  }
  throw new Error('There is no program address for these seeds.')
}

/** Returns the address of a wallet's tokens of one mint. */
export function associatedTokenAddress(owner: string, mint: string, tokenProgram: string): string {
  return programAddress([bs58.decode(owner), bs58.decode(tokenProgram), bs58.decode(mint)], ASSOCIATED_TOKEN_PROGRAM)
}

/** Returns the address of createAccountWithSeed. */
export function seededAddress(base: string, seed: string, owner: string): string {
  return bs58.encode(createHash('sha256').update(bs58.decode(base)).update(seed).update(bs58.decode(owner)).digest())
}
