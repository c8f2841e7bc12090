/** Reads the user's wallets, their records and audit log, and the party itself. */
import { MFA_ACTIONS } from '@keybay/kernel/spec'
import { and, asc, eq, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { ownSet } from '../authority/authorize.js'
import { listDemanded } from '../authority/mfa.js'
import { namedOperation, type Operation, operationHash, verifySession } from '../authority/session.js'
import { acceptRecord, getRecordKeys } from '../ceremonies/accept.js'
import { readRecord } from '../ceremonies/record.js'
import { audit, auditCheckpoints } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { base64url, toText, uuid } from '../http/fields.js'
import { type Call, type Route, route } from '../http/route.js'
import { type WalletView, walletSchema } from '../store/wallets.js'

const reading = ['unauthorized', 'invalid_session_signature', 'too_many_requests'] as const
const jwk = v.object({ kty: v.string(), crv: v.string(), x: v.string(), y: v.string() })
const READ: Operation = { op: 'getWallets', hash: operationHash('getWallets') }
const MAX_ENTRIES = 200

export const partyRoute = route({
  method: 'GET',
  path: '/party',
  summary: 'Who this is: its record keys, and what is sealed to it.',
  access: 'public',
  answer: v.object({
    party: v.picklist(['R1', 'R2']),
    recordKeys: v.array(jwk),
    sealingKey: base64url,
    peer: v.optional(v.object({ party: v.picklist(['R1', 'R2']), sealingKey: base64url })),
  }),
  run: async ({ services }) => {
    const { party, keys, peer } = services
    // A frame also needs R2's key but calls only R1; without R2 the other schemes still work.
    const other = party === 'R1' ? await peer.info().catch(() => undefined) : undefined
    return {
      party,
      recordKeys: [...keys.recordKeys.values()],
      sealingKey: toText(keys.sealing.publicKey),
      ...(other && { peer: { party: other.party, sealingKey: toText(other.sealingKey) } }),
    }
  },
})

async function readAs(call: Call, operation = READ) {
  const session = await verifySession(call, operation)
  await call.services.limits.hit('reads per user', `${call.environment.id} ${session.userId}`)
  return session
}

const list = route({
  path: '/wallets/list',
  summary: 'The wallets of the user, with the records of their sets.',
  access: 'session',
  body: v.strictObject({
    demands: v.optional(v.pipe(v.literal(true), v.description('Adds the actions that require a second factor'))),
  }),
  answer: v.object({ wallets: v.array(walletSchema), demands: v.optional(v.array(v.picklist(MFA_ACTIONS))) }),
  errors: reading,
  run: async (call, { body }) => {
    const session = await readAs(call)
    const wallets = await call.services.wallets.list(call.environment.id, session.userId)
    await reportWallets(call, wallets)
    return { wallets, ...(body.demands && { demands: [...(await listDemanded(call, session))] }) }
  },
})

const state = route({
  path: '/wallets/{walletId}/state',
  summary:
    'The wallet with its signed records, for a frame in the middle of an operation: any operation that the session signed will do.',
  access: 'session',
  params: v.object({ walletId: uuid }),
  body: v.strictObject({}),
  answer: v.object({ wallet: walletSchema }),
  errors: [...reading, 'wallet_not_found'],
  run: async (call, { params }) => {
    const { services, environment } = call
    const { userId } = await readAs(call, namedOperation(call))
    if (!(await services.wallets.isOwn(environment.id, userId, params.walletId)))
      throw new RelayError('wallet_not_found')
    return { wallet: await services.wallets.show(params.walletId) }
  },
})

/** Reports wallets that the product API does not know, as after its database was restored. Never fails the listing. */
async function reportWallets({ services, environment }: Call, wallets: readonly WalletView[]): Promise<void> {
  for (const { walletId, sets } of wallets) {
    const primary = sets.find(({ kind, status }) => kind === 'primary' && status === 'active')
    if (!primary) continue
    try {
      await services.api.reportOnce(environment, `${walletId} ${primary.epoch}`, primary.record)
    } catch (error) {
      services.log({ level: 'warn', message: 'the product API did not take a wallet', walletId, error: String(error) })
      if (error instanceof RelayError && error.code === 'api_unavailable' && !error.details) return
    }
  }
}

const record = route({
  path: '/wallets/{walletId}/record',
  summary: 'Shows this relay a record of R1: it goes on to that epoch, or finds that it has lost writes and freezes.',
  access: 'session',
  params: v.object({ walletId: uuid }),
  body: v.strictObject({ record: v.pipe(v.string(), v.maxLength(4096)) }),
  answer: v.object({ epoch: v.number() }),
  errors: [...reading, 'wallet_not_found', 'set_not_found', 'epoch_mismatch', 'wallet_frozen', 'not_compared'],
  run: async (call, { params, body }) => {
    const { services, environment } = call
    await readAs(call)
    // The other relay can repair what a frame's record can only freeze.
    await services.comparison.ready()
    const { set } = readRecord(await getRecordKeys(services), body.record)
    await ownSet(call, params.walletId, set.setId)
    return { epoch: await acceptRecord(services, environment.id, body.record) }
  },
})

const readAudit = route({
  path: '/wallets/{walletId}/audit',
  summary: 'The audit record of a set, from a sequence number on.',
  access: 'session',
  params: v.object({ walletId: uuid }),
  body: v.strictObject({ setId: uuid, after: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  answer: v.object({
    entries: v.array(v.object({ sequence: v.number(), entry: v.string(), hash: v.string() })),
    head: v.object({ sequence: v.number(), hash: v.string() }),
    checkpoint: v.pipe(
      v.nullable(v.object({ sequence: v.number(), hash: v.string() })),
      v.description('The last entry that the operator has archived: older ones are no longer here. Null if none was.'),
    ),
  }),
  errors: [...reading, 'wallet_not_found', 'set_not_found'],
  run: async (call, { params, body }) => {
    const { services } = call
    await readAs(call)
    const row = await ownSet(call, params.walletId, body.setId)
    const entries = await services.db
      .select({ sequence: audit.sequence, entry: audit.entry, hash: audit.hash })
      .from(audit)
      .where(and(eq(audit.setId, row.id), gt(audit.sequence, body.after)))
      .orderBy(asc(audit.sequence))
      .limit(MAX_ENTRIES)
    const { sequence, hash } = auditCheckpoints
    const [checkpoint = null] = await services.db
      .select({ sequence, hash })
      .from(auditCheckpoints)
      .where(eq(auditCheckpoints.id, row.id))
    return { entries, checkpoint, head: { sequence: row.auditSequence, hash: row.auditHead } }
  },
})

export const walletRoutes: readonly Route[] = [list, state, record, readAudit]
