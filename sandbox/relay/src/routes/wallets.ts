/** Reads the party itself, the user's wallets, records and the audit log; also changes sets without a ceremony. */
import { MFA_ACTIONS } from '@keybay/kernel/spec'
import { onRevoke, onSetPolicy } from '@keybay/waas/mpc'
import { and, asc, eq, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { auditEntry, ownSet, setErrors } from '../authority/authorize.js'
import { namedSet } from '../authority/device.js'
import { demandMfa, listDemanded } from '../authority/mfa.js'
import { namedOperation, type Operation, operationHash, verifySession } from '../authority/session.js'
import { acceptRecord, getRecordKeys } from '../ceremonies/accept.js'
import { chainOf } from '../ceremonies/chain.js'
import { allow, describeSet } from '../ceremonies/decide.js'
import { askPeer } from '../ceremonies/flow.js'
import { signChange } from '../ceremonies/history.js'
import { readRecord } from '../ceremonies/record.js'
import { deliver, demandWitness } from '../ceremonies/witness.js'
import { audit, auditCheckpoints } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { base64url, toText, uuid } from '../http/fields.js'
import { type Call, LARGE_BODY_BYTES, type Route, route } from '../http/route.js'
import { isOpen, isSoundGrant, isWithin, type Policy, policySchema } from '../policy/index.js'
import type { SetRow, Transaction } from '../store/sets.js'
import { getPublicSet } from '../store/shares.js'
import { type WalletRow, type WalletView, walletSchema } from '../store/wallets.js'
import { authorizeOver } from './authorize-over.js'
import { revokeWaiting } from './reshare/waiting.js'

const reading = ['unauthorized', 'invalid_session_signature', 'too_many_requests'] as const
const changing = [...setErrors, 'too_many_requests'] as const
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

const target = v.object({ walletId: uuid, setId: uuid })

const changed = v.object({ wallet: walletSchema })
const fromPeer = v.object({ done: v.boolean() })
const changedAnswer = v.union([changed, fromPeer])

function named(op: string, ...facts: readonly string[]): Operation {
  return { op, hash: operationHash(op, ...facts) }
}

/**
 * Returns the operation that the page's session has to have signed. The wallet's own window can add a grant of its set to
 * a transaction that the page asked for, which the device's signature then covers; any other policy is the page's request.
 *
 * @throws RelayError `not_enabled` for a grant of another set
 */
function namedPolicy(call: Call, setId: string, policy: Policy | null): Operation {
  const asked = namedOperation(call)
  if (asked.op !== 'signTransaction' || policy?.otherwise === undefined)
    return named('setPolicy', setId, JSON.stringify(policy))
  if (namedSet(call) !== setId) throw new RelayError('not_enabled')
  return asked
}

/** Signs R1's record of the changed set. */
function signedBy({ services }: Call, scheme: WalletRow['scheme']) {
  return async (tx: Transaction, row: SetRow) => ({ record: await signChange(services, tx, row, scheme) })
}

const revoke = route({
  path: '/wallets/{walletId}/sets/{setId}/revoke',
  summary: 'Erases the relays’ half of an additional set: it never signs again, so it needs the user’s consent.',
  params: target,
  body: v.strictObject({}),
  answer: changedAnswer,
  errors: [...changing, 'not_enabled', 'consent_required', 'ceremony_state', 'wallet_exists'],
  run: async (call, { params }) => {
    const { services } = call
    const { walletId, setId } = params
    const { authority, by, row } = await authorizeOver(call, named('revokeSet', setId), params)
    if (row) allow(onRevoke({ set: describeSet(row), ceremonies: [] }))
    if (!authority.device.consent) throw new RelayError('consent_required', { rule: 'revoke' })
    if (!row) {
      if (!by) throw new RelayError('set_not_found')
      await revokeWaiting(call, authority, by, setId)
      return { wallet: await services.wallets.show(walletId) }
    }
    const wallet = await services.wallets.get(row.walletId)
    if (!wallet) throw new RelayError('wallet_not_found')
    const values = { status: 'revoked' as const, share: null }
    await services.sets.change(
      row,
      now => {
        allow(onRevoke({ set: describeSet(now), ceremonies: [] }))
        return { values, entry: auditEntry(call, authority, now.epoch, 'revoked') }
      },
      authority.nonce,
      signedBy(call, wallet.scheme),
    )
    await deliver(services, row.walletId, call.requestId)
    return { wallet: await services.wallets.show(row.walletId) }
  },
})

const setPolicy = route({
  path: '/wallets/{walletId}/sets/{setId}/policy',
  summary:
    'What a set may sign unasked. Needs the user’s consent, unless it ends a grant; a looser policy also the second factor.',
  bodyLimit: LARGE_BODY_BYTES,
  params: target,
  body: v.strictObject({ policy: v.nullable(policySchema) }),
  answer: changedAnswer,
  errors: [
    ...changing,
    'not_enabled',
    'consent_required',
    'mfa_required',
    'policy_unsupported',
    'rpc_unavailable',
    'peer_unavailable',
  ],
  run: async (call, { params, body }) => {
    const { services } = call
    const { policy } = body
    if (policy && !isSoundGrant(policy)) throw new RelayError('invalid_request', { reason: 'policy' })
    const operation = namedPolicy(call, params.setId, policy)
    const { authority, by, row, forPeer } = await authorizeOver(call, operation, params)
    if (!row) throw new RelayError('set_not_found')
    const chainName = chainOf(getPublicSet(row), row.address)
    if (chainName !== 'SOL')
      throw new RelayError('policy_unsupported', {
        chainName,
        signing: chainName === 'EVM' ? 'reconstructed' : 'threshold',
      })
    // A delegate has no user who could be asked.
    if (row.kind === 'delegate' && isOpen(policy)) throw new RelayError('invalid_request', { reason: 'policy' })
    const isUnasked = (now: SetRow): boolean => policy === null && [now.policy, ...now.unconfirmed].every(isOpen)
    const isStricter = (now: SetRow): boolean =>
      [now.policy, ...now.unconfirmed].every(known => isWithin(policy, known))
    if (!isUnasked(row) && !authority.device.consent) throw new RelayError('consent_required', { rule: 'policy' })
    await services.chain.assertPlain(call.environment, policy?.tokens ?? [])
    const loose = !isStricter(row)
    // R1's word for the key of a set that R2 does not have must not be enough.
    if (loose && !by && row.owner !== authority.device.thumbprint)
      throw new RelayError('not_enabled', { reason: 'device' })
    // The policy may be looser at R2 alone, which then needs the receipt of the user's second factor.
    const hasFactor = call.header('x-keybay-mfa-token') !== undefined
    // What a grant allows needs the same second factor as what the user agrees to, so that a grant itself needs none.
    const needsFactor = (loose || hasFactor) && operation.op === 'setPolicy'
    const mfa = needsFactor
      ? await demandMfa(call, authority.session, 'wallet.waas.reshare', authority.operation)
      : undefined
    const isR1 = services.party === 'R1'
    const wallet = await services.wallets.get(row.walletId)
    if (!wallet) throw new RelayError('wallet_not_found')
    if (isR1 && getPublicSet(row).parties.includes('R2')) {
      // A record of an earlier policy that reached R2 later would replace this one there.
      await demandWitness(services, row.walletId, call.requestId)
      await askPeer(call, fromPeer, forPeer, mfa)
    }
    await services.sets.change(
      row,
      now => {
        allow(onSetPolicy(describeSet(now)))
        if (!authority.device.consent && !isUnasked(now)) throw new RelayError('consent_required', { rule: 'policy' })
        if (!loose && !isStricter(now)) throw new RelayError('consent_required', { rule: 'policy' })
        return {
          values: { policy, unconfirmed: [] },
          entry: auditEntry(call, authority, now.epoch, 'policy', { loose }),
        }
      },
      authority.nonce,
      isR1 ? signedBy(call, wallet.scheme) : undefined,
    )
    if (!isR1) return { done: true }
    await deliver(services, row.walletId, call.requestId)
    return { wallet: await services.wallets.show(row.walletId) }
  },
})

export const walletRoutes: readonly Route[] = [list, state, record, readAudit, revoke, setPolicy]
