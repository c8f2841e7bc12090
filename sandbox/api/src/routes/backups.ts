/** Stores `dynamic` backups, sealed under a recovery code that this service never sees. */
import { randomUUID } from 'node:crypto'
import { invalidKeySharesLength, keyShareAlreadyBackedUp, tooManyRequests } from '@keybay/kernel/spec'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { assertStatement, authorizeBackup, LIFETIME } from '../backups/authority.js'
import { MAX_BYTES, readEnvelope } from '../backups/envelope.js'
import { KEPT_MS } from '../backups/erasure.js'
import type { Database } from '../db/open.js'
import { backups } from '../db/schema.js'
import type { ActiveSession } from '../http/call.js'
import {
  ApiError,
  backupNotFound,
  invalidRequest,
  mfaRequired,
  reauthenticationRequired,
  tooManyBackups,
} from '../http/errors.js'
import { base64url, id, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { beginOperation, demandFactor, demandPresence, registerFrameKey } from '../mfa/frame-keys.js'
import { sha256 } from '../security/hashes.js'
import { recordEvent } from '../security-log/events.js'

const route = routesOf('backups')

/** Maximum number of copies per wallet. An abandoned ceremony leaves a copy until the next completed one. */
const MAX_COPIES = 20
/** Maximum number of erased copies per wallet that wait for the sweep. */
const MAX_ERASED = 100
const MAX_WALLETS = 200

const errors = [reauthenticationRequired, tooManyRequests] as const
const walletParams = v.object({ walletId: id })
const copyParams = v.object({ walletId: id, backupId: id })
const facts = { id: v.string(), epoch: v.number(), size: v.pipe(v.number(), v.description('bytes')), createdAt: time }
const erasedFacts = { erasedAt: time, removedAt: v.pipe(time, v.description('when it can no longer be got back')) }

type Backup = typeof backups.$inferSelect

function view({ id, epoch, size, createdAt }: Backup) {
  return { id, epoch, size, createdAt }
}

function isOfWallet({ userId }: ActiveSession, walletId: string) {
  return and(eq(backups.userId, userId), eq(backups.walletId, walletId))
}

function isCopy(session: ActiveSession, { walletId, backupId }: v.InferOutput<typeof copyParams>) {
  return and(isOfWallet(session, walletId), eq(backups.id, backupId))
}

/** Runs `act` while no other call, on any instance, changes the user's backups, because the limits are counted. */
function locked<T>(
  db: Database,
  userId: string,
  act: (tx: Pick<Database, 'execute' | '$count' | 'select' | 'insert' | 'update'>) => Promise<T>,
) {
  return db.transaction(async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`backups ${userId}`}))`)
    return act(tx)
  })
}

const register = route('POST /frame-keys', {
  summary:
    'From a wallet frame: registers the key of its proof. A new key needs a sign-in of the last five minutes, or a second factor entered in that frame (`POST /mfa/frame`).',
  access: 'frame-key',
  errors,
  async run(call) {
    await assertStatement(call, 'read')
    await call.services.limits.hit('backup reads per user', call.session.userId)
    await registerFrameKey(call)
  },
})

const begin = route('POST /frame-keys/presence', {
  summary:
    'From a wallet frame, before the user enters anything: lets the operation of the statement read and erase backups until the statement expires. Needs a sign-in of the last five minutes, or a second factor entered in that frame; registers the key of its proof.',
  access: 'frame-key',
  errors,
  async run(call) {
    const statementId = await assertStatement(call, 'read')
    await call.services.limits.hit('backup reads per user', call.session.userId)
    await beginOperation(call, statementId)
  },
})

const list = route('GET /backups/{walletId}', {
  summary:
    'From a wallet frame: the backups of one wallet, the newest first, and the erased ones that can be got back.',
  access: 'frame-key',
  params: walletParams,
  answer: v.object({ backups: v.array(v.object(facts)), erased: v.array(v.object({ ...facts, ...erasedFacts })) }),
  errors,
  async run(call) {
    const { services, session, params } = call
    await authorizeBackup(call, 'read')
    const rows = await services.db
      .select()
      .from(backups)
      .where(isOfWallet(session, params.walletId))
      .orderBy(desc(backups.sequence))
    return {
      backups: rows.filter(({ erasedAt }) => erasedAt === null).map(view),
      erased: rows.flatMap(row =>
        row.erasedAt === null ? [] : [{ ...view(row), erasedAt: row.erasedAt, removedAt: row.erasedAt + KEPT_MS }],
      ),
    }
  },
})

const put = route('POST /backups/{walletId}', {
  summary: 'From a wallet frame: keeps an envelope. Its header has to say this wallet and this epoch.',
  access: 'frame-key',
  status: 201,
  params: walletParams,
  body: v.strictObject({
    epoch: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31 - 1)),
    envelope: base64url(40_000),
  }),
  answer: v.object(facts),
  errors: [...errors, invalidRequest, invalidKeySharesLength, keyShareAlreadyBackedUp, tooManyBackups],
  async run(call) {
    const { services, session, params, body, key } = call
    await authorizeBackup(call, 'write')
    const { userId, environmentId } = session
    const { walletId } = params
    await services.limits.hit('backups per user', userId)
    const bytes = Buffer.from(body.envelope, 'base64url')
    if (bytes.length > MAX_BYTES) throw new ApiError(invalidKeySharesLength, { mostBytes: MAX_BYTES })
    const header = readEnvelope(bytes)
    if (!header || header.walletId !== walletId || header.epoch !== body.epoch)
      throw new ApiError(invalidRequest, { reason: 'The envelope is not one of this wallet and epoch.' })
    return locked(services.db, userId, async tx => {
      const copies = await tx.$count(backups, and(isOfWallet(session, walletId), isNull(backups.erasedAt)))
      const [wallets] = await tx
        .select({ count: sql<number>`count(distinct ${backups.walletId})::int` })
        .from(backups)
        .where(eq(backups.userId, userId))
      if (copies >= MAX_COPIES || (copies === 0 && (wallets?.count ?? 0) >= MAX_WALLETS))
        throw new ApiError(tooManyBackups)
      const upload = { frameKey: key.thumbprint, createdAt: services.clock.now() }
      const values = {
        id: randomUUID(),
        environmentId,
        userId,
        walletId,
        epoch: body.epoch,
        envelope: body.envelope,
        size: bytes.length,
        digest: sha256(bytes),
        ...upload,
      }
      const [row] = await tx
        .insert(backups)
        .values(values)
        .onConflictDoUpdate({
          target: [backups.userId, backups.walletId, backups.digest],
          set: { ...upload, erasedAt: null },
          setWhere: isNotNull(backups.erasedAt),
        })
        .returning()
      if (!row) throw new ApiError(keyShareAlreadyBackedUp)
      return view(row)
    })
  },
})

const get = route('GET /backups/{walletId}/{backupId}', {
  summary:
    'From a wallet frame: one envelope, also an erased one. Needs a recent sign-in or second factor, but for a copy that this frame has just uploaded.',
  access: 'frame-key',
  params: copyParams,
  answer: v.object({ ...facts, envelope: v.string() }),
  errors: [...errors, backupNotFound],
  async run(call) {
    const { services, session, params, key } = call
    const authority = await authorizeBackup(call, 'read')
    await services.limits.hit('backup reads per user', session.userId)
    const [row] = await services.db.select().from(backups).where(isCopy(session, params))
    if (!row) throw new ApiError(backupNotFound)
    const isOwn = row.erasedAt === null && row.frameKey === key.thumbprint
    if (!isOwn || services.clock.now() - row.createdAt > LIFETIME) await demandPresence(call, authority)
    // One event for all copies that an operation reads.
    const id = sha256(`${authority.statementId}.read`)
    if (!isOwn) await recordEvent(call, services.db, { id, userId: session.userId, kind: 'backup-read' })
    return { ...view(row), envelope: row.envelope }
  },
})

const remove = route('DELETE /backups/{walletId}/{backupId}', {
  summary:
    'From a wallet frame: erases one envelope, once a newer one is in force. Needs a second factor entered in this frame, or a recent sign-in of a user without one. It can be got back for 30 days.',
  access: 'frame-key',
  params: copyParams,
  errors: [...errors, mfaRequired, backupNotFound, tooManyBackups],
  async run(call) {
    const { services, session, params } = call
    const authority = await authorizeBackup(call, 'write')
    await demandFactor(call, authority)
    await locked(services.db, session.userId, async tx => {
      const erased = and(isOfWallet(session, params.walletId), isNotNull(backups.erasedAt))
      if ((await tx.$count(backups, erased)) >= MAX_ERASED) throw new ApiError(tooManyBackups)
      const [row] = await tx
        .update(backups)
        .set({ erasedAt: services.clock.now() })
        .where(and(isCopy(session, params), isNull(backups.erasedAt)))
        .returning({ id: backups.id })
      if (!row) throw new ApiError(backupNotFound)
      // One event for all copies that an operation erases.
      const id = sha256(`${authority.statementId}.removed`)
      await recordEvent(call, tx, { id, userId: session.userId, kind: 'backup-removed' })
    })
  },
})

const restore = route('POST /backups/{walletId}/{backupId}/restore', {
  summary: 'From a wallet frame: gets an erased envelope back. Needs a recent sign-in or second factor.',
  access: 'frame-key',
  params: copyParams,
  answer: v.object(facts),
  errors: [...errors, backupNotFound, tooManyBackups],
  async run(call) {
    const { services, session, params } = call
    await demandPresence(call, await authorizeBackup(call, 'read'))
    return locked(services.db, session.userId, async tx => {
      const copies = await tx.$count(backups, and(isOfWallet(session, params.walletId), isNull(backups.erasedAt)))
      if (copies >= MAX_COPIES) throw new ApiError(tooManyBackups)
      const [row] = await tx.update(backups).set({ erasedAt: null }).where(isCopy(session, params)).returning()
      if (!row) throw new ApiError(backupNotFound)
      return view(row)
    })
  },
})

export const backupRoutes: readonly Route[] = [register, begin, list, put, get, remove, restore]
