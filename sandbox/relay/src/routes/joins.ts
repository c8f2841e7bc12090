/**
 * Joins: a new device leaves its keys here, an existing device
 * sees them and deals, and the new device takes the result.
 */
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { authorizeKey, authorizeSet, checkRow } from '../authority/authorize.js'
import { namedSet } from '../authority/device.js'
import { operationHash, verifyToken } from '../authority/session.js'
import { CEREMONY_LIFETIME, once } from '../ceremonies/flow.js'
import { getThumbprint } from '../crypto/jwk.js'
import { joins } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { base64url, deviceKey, exactBytes, sealedAnswer, time, toText, uuid } from '../http/fields.js'
import { type Call, type Route, route } from '../http/route.js'
import type { WalletRow } from '../store/wallets.js'

const errors = [
  'unauthorized',
  'invalid_session_signature',
  'invalid_device_signature',
  'wallet_not_found',
  'too_many_requests',
] as const
const params = v.object({ walletId: uuid })
/** A delegate does not join this way: the user deals for it with the keys that the operator lists. */
const kind = v.literal('device')

function operationOf(address: string) {
  const op = 'addDevice'
  return { op, hash: operationHash(op), address }
}

async function ownWallet(call: Call, walletId: string): Promise<WalletRow> {
  const { userId } = await verifyToken(call)
  const wallet = await call.services.wallets.get(walletId)
  if (wallet?.userId !== userId || wallet.environmentId !== call.environment.id)
    throw new RelayError('wallet_not_found')
  return wallet
}

const open = route({
  path: '/wallets/{walletId}/joins/open',
  summary: 'A new device asks for a set of its own.',
  params,
  body: v.strictObject({
    joinId: uuid,
    setId: uuid,
    kind,
    deviceKey,
    sealingKey: exactBytes(32),
    name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64)),
  }),
  answer: v.object({ joinId: v.string(), expiresAt: time }),
  errors: [...errors, 'ceremony_state'],
  run: async (call, { params, body }) => {
    const { services } = call
    const { walletId } = params
    const wallet = await ownWallet(call, walletId)
    const authority = await authorizeKey(call, body.deviceKey, operationOf(wallet.address), { ...body, walletId })
    await services.limits.hit('changes per wallet', walletId)
    const expiresAt = services.clock.now() + CEREMONY_LIFETIME
    const { joinId: id, sealingKey, ...rest } = body
    const row = {
      ...rest,
      id,
      walletId,
      sealingKey: toText(sealingKey),
      thumbprint: getThumbprint(body.deviceKey),
      expiresAt,
    }
    await once(call, authority, async tx => {
      const [made] = await tx.insert(joins).values(row).onConflictDoNothing().returning()
      if (!made) throw new RelayError('ceremony_state')
    })
    return { joinId: id, expiresAt }
  },
})

/** Maximum number of joins in a list: the newest. */
const MAX_LISTED = 8

const list = route({
  path: '/wallets/{walletId}/joins/list',
  summary: 'Devices that ask. Frames show a code of both keys: the user compares it with what the new device shows.',
  params,
  body: v.strictObject({}),
  answer: v.object({
    joins: v.array(
      v.object({
        joinId: v.string(),
        setId: v.string(),
        kind,
        name: v.string(),
        sealingKey: base64url,
        deviceKey: v.string(),
        expiresAt: time,
      }),
    ),
  }),
  errors: [...errors, 'device_locked'],
  run: async (call, { params }) => {
    const { services } = call
    const { walletId } = params
    const wallet = await ownWallet(call, walletId)
    const { op, hash } = operationOf(wallet.address)
    const authority = await authorizeSet(call, { walletId, setId: namedSet(call), op, hash })
    checkRow(call, authority.row, authority.device)
    await once(call, authority, async () => undefined)
    const open = and(eq(joins.walletId, walletId), isNull(joins.ceremonyId), gt(joins.expiresAt, services.clock.now()))
    const rows = await services.db.select().from(joins).where(open).orderBy(desc(joins.expiresAt)).limit(MAX_LISTED)
    return {
      joins: rows.map(({ id, setId, kind, name, thumbprint, sealingKey, expiresAt }) => ({
        joinId: id,
        setId,
        kind,
        name,
        sealingKey,
        deviceKey: thumbprint,
        expiresAt,
      })),
    }
  },
})

const dealtSchema = v.object({
  from: v.string(),
  dealers: v.array(v.string()),
  policyHash: v.string(),
  dealings: v.array(v.string()),
  subShares: sealedAnswer,
  transcript: v.string(),
})

const take = route({
  path: '/wallets/{walletId}/joins/take',
  summary: 'What an old device and the relays have dealt, as soon as they have.',
  params,
  body: v.strictObject({ joinId: uuid }),
  answer: v.object({
    status: v.picklist(['waiting', 'dealt']),
    ceremonyId: v.optional(v.string()),
    ...v.partial(dealtSchema).entries,
  }),
  errors: [...errors, 'ceremony_not_found'],
  run: async (call, { params, body }) => {
    const { services } = call
    const { walletId } = params
    const wallet = await ownWallet(call, walletId)
    const live = and(eq(joins.id, body.joinId), eq(joins.walletId, walletId), gt(joins.expiresAt, services.clock.now()))
    const [row] = await services.db.select().from(joins).where(live)
    if (!row) throw new RelayError('ceremony_not_found')
    const authority = await authorizeKey(call, row.deviceKey, operationOf(wallet.address), row)
    await once(call, authority, async () => undefined)
    if (row.ceremonyId === null) return { status: 'waiting' as const }
    return { status: 'dealt' as const, ceremonyId: row.ceremonyId, ...v.parse(dealtSchema, row.dealt) }
  },
})

export const joinRoutes: readonly Route[] = [open, list, take]
