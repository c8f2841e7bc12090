/** Stores `dynamic` backups, sealed under a recovery code that this service never sees. */
import { createHash, randomUUID } from 'node:crypto'
import { invalidKeySharesLength, keyShareAlreadyBackedUp, tooManyRequests } from '@keybay/kernel/spec'
import { and, desc, eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { assertStatement } from '../backups/authority.js'
import { MAX_BYTES, readEnvelope } from '../backups/envelope.js'
import { backups } from '../db/schema.js'
import type { ActiveSession } from '../http/call.js'
import { ApiError, backupNotFound, invalidProof, invalidRequest, tooManyBackups } from '../http/errors.js'
import { base64url, id, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'

const route = routesOf('backups')

/** Maximum number of copies per wallet. An abandoned ceremony leaves a copy until the next completed one. */
const MAX_COPIES = 20
const MAX_WALLETS = 200

const errors = [invalidProof, tooManyRequests] as const
const ofWallet = v.object({ walletId: id })
const ofCopy = v.object({ walletId: id, backupId: id })
const facts = { id: v.string(), epoch: v.number(), size: v.pipe(v.number(), v.description('bytes')), createdAt: time }

function view({ id, epoch, size, createdAt }: typeof backups.$inferSelect) {
  return { id, epoch, size, createdAt }
}

function mine({ userId }: ActiveSession, walletId: string) {
  return and(eq(backups.userId, userId), eq(backups.walletId, walletId))
}

const list = route('GET /backups/{walletId}', {
  summary: 'From a wallet frame: the backups of one wallet, the newest first.',
  access: 'frame',
  params: ofWallet,
  answer: v.object({ backups: v.array(v.object(facts)) }),
  errors,
  async run(call) {
    const { services, session, params } = call
    assertStatement(call, session, 'read')
    const rows = await services.db
      .select()
      .from(backups)
      .where(mine(session, params.walletId))
      .orderBy(desc(backups.sequence))
    return { backups: rows.map(view) }
  },
})

const put = route('POST /backups/{walletId}', {
  summary: 'From a wallet frame: keeps an envelope. Its header has to say this wallet and this epoch.',
  access: 'frame',
  status: 201,
  params: ofWallet,
  body: v.strictObject({
    epoch: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1)),
    envelope: base64url(40_000),
  }),
  answer: v.object(facts),
  errors: [...errors, invalidRequest, invalidKeySharesLength, keyShareAlreadyBackedUp, tooManyBackups],
  async run(call) {
    const { services, session, params, body } = call
    assertStatement(call, session, 'write')
    const { userId, environmentId } = session
    const { walletId } = params
    await services.limits.hit('backups per user', userId)
    const bytes = Buffer.from(body.envelope, 'base64url')
    if (bytes.length > MAX_BYTES) throw new ApiError(invalidKeySharesLength, { mostBytes: MAX_BYTES })
    const header = readEnvelope(bytes)
    if (!header || header.walletId !== walletId || header.epoch !== body.epoch)
      throw new ApiError(invalidRequest, { reason: 'The envelope is not one of this wallet and epoch.' })
    return services.db.transaction(async tx => {
      // Take a lock per user, on every instance, because the limits are counted.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`backups ${userId}`}))`)
      const copies = await tx.$count(backups, mine(session, walletId))
      const [wallets] = await tx
        .select({ count: sql<number>`count(distinct ${backups.walletId})::int` })
        .from(backups)
        .where(eq(backups.userId, userId))
      if (copies >= MAX_COPIES || (copies === 0 && (wallets?.count ?? 0) >= MAX_WALLETS))
        throw new ApiError(tooManyBackups)
      const values = {
        id: randomUUID(),
        environmentId,
        userId,
        walletId,
        epoch: body.epoch,
        envelope: body.envelope,
        size: bytes.length,
        digest: createHash('sha256').update(bytes).digest('base64url'),
        createdAt: services.clock.now(),
        sessionId: session.id,
      }
      const [row] = await tx.insert(backups).values(values).onConflictDoNothing().returning()
      if (!row) throw new ApiError(keyShareAlreadyBackedUp)
      return view(row)
    })
  },
})

const get = route('GET /backups/{walletId}/{backupId}', {
  summary: 'From a wallet frame: one envelope.',
  access: 'frame',
  params: ofCopy,
  answer: v.object({ ...facts, envelope: v.string() }),
  errors: [...errors, backupNotFound],
  async run(call) {
    const { services, session, params } = call
    assertStatement(call, session, 'read')
    await services.limits.hit('backup reads per user', session.userId)
    const [row] = await services.db
      .select()
      .from(backups)
      .where(and(mine(session, params.walletId), eq(backups.id, params.backupId)))
    if (!row) throw new ApiError(backupNotFound)
    return { ...view(row), envelope: row.envelope }
  },
})

const remove = route('DELETE /backups/{walletId}/{backupId}', {
  summary: 'From a wallet frame: erases one envelope, once a newer one is in force.',
  access: 'frame',
  params: ofCopy,
  errors: [...errors, backupNotFound],
  async run(call) {
    const { services, session, params } = call
    assertStatement(call, session, 'write')
    const removed = await services.db
      .delete(backups)
      .where(and(mine(session, params.walletId), eq(backups.id, params.backupId)))
      .returning({ id: backups.id })
    if (removed.length === 0) throw new ApiError(backupNotFound)
  },
})

export const backupRoutes: readonly Route[] = [list, put, get, remove]
