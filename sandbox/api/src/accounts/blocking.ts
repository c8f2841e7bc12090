/** Blocks users: their sessions end, no sign-in and no merge works, and the relays and custody refuse their wallets. */
import { blockedUserCannotTransferWallet } from '@keybay/kernel/spec'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { sessions, users } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, notFound } from '../http/errors.js'
import { deliverInstructions, queueInstruction } from '../remote/instructions.js'
import { recordEvent } from '../security-log/events.js'

export interface BlockAnswer {
  readonly blockedAt: number | null
  /** Services that have not taken the change yet; every sweep tells them again. */
  readonly pending: readonly string[]
}

/** Locks the user for the transaction, so that a block comes before or after, never between. @throws ApiError */
export async function assertNotBlocked(tx: Pick<Database, 'select'>, userId: string): Promise<void> {
  const [user] = await tx.select({ blockedAt: users.blockedAt }).from(users).where(eq(users.id, userId)).for('share')
  if (user?.blockedAt) throw new ApiError(blockedUserCannotTransferWallet)
}

/** Blocks or unblocks a user; a second call keeps the time. @throws ApiError `not_found` */
export async function setBlocked(call: Call, userId: string, isBlocked: boolean): Promise<BlockAnswer> {
  const { services, environment } = call
  const { db, clock } = services
  const environmentId = environment.id
  const instruction = { environmentId, userId, topic: 'access', kind: isBlocked ? 'block' : 'unblock' } as const
  const blockedAt = await db.transaction(async tx => {
    const isUser = and(eq(users.id, userId), eq(users.environmentId, environmentId))
    const [user] = await tx.select().from(users).where(isUser).for('update')
    if (!user) throw new ApiError(notFound)
    const blockedAt = isBlocked ? (user.blockedAt ?? clock.now()) : null
    await queueInstruction(services, tx, instruction)
    if (blockedAt === user.blockedAt) return blockedAt
    await tx.update(users).set({ blockedAt }).where(eq(users.id, userId))
    const active = and(eq(sessions.userId, userId), isNull(sessions.revokedAt))
    if (isBlocked) await tx.update(sessions).set({ revokedAt: clock.now() }).where(active)
    await recordEvent(call, tx, { userId, kind: isBlocked ? 'blocked' : 'unblocked', isHere: false })
    return blockedAt
  })
  return { blockedAt, pending: await deliverInstructions(services, userId) }
}
