/** Ten recovery codes of 50 random bits each, protected by a keyed hash and the limit on tries. */
import { randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { recoveryCodes } from '../db/schema.js'
import type { Services } from '../services.js'
import { base32 } from './totp.js'

const COUNT = 10

function newCode(): string {
  return base32(randomBytes(7))
    .slice(0, 10)
    .replace(/^(.{5})/, '$1-')
}

/** Hashes a code as the user types it: in any case, with or without the dash. */
function getHash({ hashes }: Pick<Services, 'hashes'>, userId: string, code: string): string {
  return hashes.keyed('recovery-code', userId, code.toUpperCase().replace(/[^A-Z2-7]/g, ''))
}

/** Replaces the user's codes with new ones, which are shown only this once. */
export async function renewRecoveryCodes(services: Pick<Services, 'db' | 'hashes'>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await services.db.transaction(async tx => {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    await tx.insert(recoveryCodes).values(codes.map(code => ({ hash: getHash(services, userId, code), userId })))
  })
  return codes
}

export async function useRecoveryCode(services: Services, userId: string, code: string): Promise<boolean> {
  const [used] = await services.db
    .update(recoveryCodes)
    .set({ usedAt: services.clock.now() })
    .where(
      and(
        eq(recoveryCodes.hash, getHash(services, userId, code)),
        eq(recoveryCodes.userId, userId),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning()
  return used !== undefined
}
