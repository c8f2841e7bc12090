/** Ten recovery codes of 50 random bits each, protected by a keyed hash and the limit on tries. */
import { randomBytes } from 'node:crypto'
import { tooManyVerificationAttempts } from '@keybay/kernel/spec'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { recoveryCodes, users } from '../db/schema.js'
import { ApiError } from '../http/errors.js'
import type { Services } from '../services.js'
import { base32 } from './totp.js'

const COUNT = 10
/** Wrong codes in a row, over the lifetime of a factor, that lock it (NIST SP 800-63B 5.2.2). */
export const MAX_FAILURES = 100

const codesLocked = {
  ...tooManyVerificationAttempts,
  message:
    'Your recovery codes are locked after too many wrong ones. Use another second factor, then create new codes.',
}

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
    await tx.update(users).set({ recoveryFailures: 0 }).where(eq(users.id, userId))
    await tx.insert(recoveryCodes).values(codes.map(code => ({ hash: getHash(services, userId, code), userId })))
  })
  return codes
}

/** Counts a wrong code in advance, so that concurrent ones count. @throws ApiError `too_many_verification_attempts` */
async function countGuess({ db }: Services, userId: string): Promise<void> {
  const [open] = await db
    .update(users)
    .set({ recoveryFailures: sql`${users.recoveryFailures} + 1` })
    .where(and(eq(users.id, userId), lt(users.recoveryFailures, MAX_FAILURES)))
    .returning({ id: users.id })
  if (!open) throw new ApiError(codesLocked, { reason: 'locked' })
}

/** Uses the code up; returns false if it is wrong. @throws ApiError `too_many_verification_attempts` */
export async function useRecoveryCode(services: Services, userId: string, code: string): Promise<boolean> {
  await countGuess(services, userId)
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
  if (!used) return false
  await services.db.update(users).set({ recoveryFailures: 0 }).where(eq(users.id, userId))
  return true
}
