/**
 * Co-signing in one round trip: all authority, the policy on bytes that
 * this relay parses itself, the audit entry, and only then the share.
 */
import { anyPoint, codecs, decode, encode, eraseShare, type SignAnswer, type SignCommitment } from '@keybay/waas/mpc'
import * as v from 'valibot'
import {
  type Authority,
  auditEntry,
  authorizeSet,
  checkRow,
  type SetRequest,
  setErrors,
} from '../authority/authorize.js'
import { authorizeDelegate, delegateSet, isWithoutUser } from '../authority/delegate.js'
import { demandMfa } from '../authority/mfa.js'
import { decide, prepare, refusalError } from '../authority/policy.js'
import type { SessionFacts } from '../authority/session.js'
import { acceptRecord } from '../ceremonies/accept.js'
import { askPeer } from '../ceremonies/flow.js'
import { asBadShare, step } from '../ceremonies/messages.js'
import { sodiumCoSigner } from '../cosign/sodium.js'
import { sha256 } from '../crypto/jwk.js'
import { getWait } from '../db/counters.js'
import { RelayError } from '../http/errors.js'
import { base64url, bytes, toBytes, toText, uuid } from '../http/fields.js'
import { type Call, LARGE_BODY_BYTES, parse, route } from '../http/route.js'
import { type Amounts, NO_AMOUNTS, Refusal, type SignKind, SOL } from '../policy/index.js'
import type { AuditEntry } from '../store/audit.js'
import type { Change, SetRow } from '../store/sets.js'
import { getPublicSet, openShare } from '../store/shares.js'
import { answerOnce, getSigners, MAX_BYTES, SIGN_ACTION } from './signing.js'

const OPERATIONS = { transaction: 'signTransaction', message: 'signMessage', rawMessage: 'signRawMessage' } as const
/** Maximum signatures per minute and set. */
const MAX_A_MINUTE = 120

const body = v.strictObject({
  setId: uuid,
  kind: v.picklist(['transaction', 'message', 'rawMessage']),
  message: bytes(MAX_BYTES),
  commitment: bytes(128),
})
const answer = v.object({ answers: v.array(base64url) })
const fromR1 = v.object({ commitment: v.string(), record: v.string() })

export const signRoute = route({
  path: '/wallets/{walletId}/sign',
  summary: 'Checks, records, and answers this party’s share of one signature.',
  delegates: true,
  bodyLimit: LARGE_BODY_BYTES,
  params: v.object({ walletId: uuid }),
  body,
  answer,
  errors: [
    ...setErrors,
    'mfa_required',
    'consent_required',
    'policy_refused',
    'too_many_requests',
    'bad_share',
    'rpc_unavailable',
    'peer_unavailable',
  ],
  run: async (call, { params, body }) => {
    const { services, fromPeer } = call
    const { setId, kind, message } = body
    if (kind === 'rawMessage' && message.length !== 32) throw new RelayError('invalid_request')
    const handed = fromPeer && parse('peer', fromR1, fromPeer.extra)
    if (handed) await seeRecord(call, setId, handed.record)
    const request = { ...params, setId, op: OPERATIONS[kind], hash: sha256(message), signers: getSigners, recall: true }
    const { authority, row, mfa } = await allowed(call, request, kind, message)
    const share = openShare(services.envelope, row)
    if (!share) throw new RelayError('set_revoked')
    try {
      const commitment = step(() => decode(codecs.signCommitment, body.commitment, anyPoint))
      if (commitment.party !== 'C') throw new RelayError('invalid_request')
      const fromOther = handed ? [decode(codecs.signCommitment, toBytes(handed.commitment), anyPoint)] : []
      const received = [commitment, ...fromOther]
      // Nonce and share stay in one handler: only this closure holds the nonce.
      const request = toBytes(authority.device.request)
      const signing = sodiumCoSigner.begin({ share, request, message, received })
      try {
        const answersFromPeer = await peerAnswers(call, row, signing.commitment, mfa)
        if (answersFromPeer.length > 0) await answerOnce(call, authority)
        const ownAnswer = step(() =>
          signing.sign([...received, signing.commitment, ...answersFromPeer.map(their => their.commitment)]),
        )
        return { answers: [ownAnswer, ...answersFromPeer].map(their => toText(encode(codecs.signAnswer, their))) }
      } finally {
        signing.erase()
      }
    } catch (error) {
      throw asBadShare(error)
    } finally {
      eraseShare(share)
    }
  },
})

/** Moves R2 to the epoch that R1's record commits, before R2 checks the request. */
async function seeRecord({ services, environment }: Call, setId: string, record: string): Promise<void> {
  const row = await services.sets.recall(environment.id, setId)
  if (row?.record !== record) await acceptRecord(services, environment.id, record)
}

interface Allowed {
  readonly authority: SignerAuthority
  readonly row: SetRow
  readonly mfa: string | undefined
}

interface SignerAuthority extends Authority {
  readonly row: SetRow
  /** User whose second factor is required; undefined for a delegate. */
  readonly user: SessionFacts | undefined
}

/** Authorises a user by a device, or a delegate alone. */
async function authorizeSigner(call: Call, request: SetRequest): Promise<SignerAuthority> {
  const { walletId, setId, op, hash, signers } = request
  if (!isWithoutUser(call)) {
    const authority = await authorizeSet(call, request)
    if (authority.row.kind === 'delegate') throw new RelayError('set_not_found')
    return { ...authority, user: authority.session }
  }
  const row = delegateSet(await call.services.sets.recall(call.environment.id, setId), walletId)
  const operation = { op, hash, address: row.address }
  const ids = { walletId, setId, userId: row.userId, deviceKey: row.deviceKey }
  return { ...authorizeDelegate(call, ids, operation, signers?.(row)), row, user: undefined }
}

/** Repeats all checks when another instance has changed the row, so that a stale row refuses no request. */
async function allowed(call: Call, request: SetRequest, kind: SignKind, message: Uint8Array): Promise<Allowed> {
  const attempt = async (): Promise<Allowed> => {
    const authority = await authorizeSigner(call, request)
    return { authority, ...(await allow(call, authority, kind, message)) }
  }
  const recorded = async (error: unknown): Promise<unknown> =>
    error instanceof Refusal ? recordRefusal(call, await authorizeSigner(call, request), kind, error) : error
  try {
    return await attempt()
  } catch (error) {
    if (!(await call.services.sets.hasChanged(request.setId))) throw await recorded(error)
  }
  try {
    return await attempt()
  } catch (error) {
    throw await recorded(error)
  }
}

function getEntry(
  call: Call,
  authority: SignerAuthority,
  row: SetRow,
  what: 'signed' | 'refused',
  facts: Readonly<Record<string, string>>,
): AuditEntry {
  return auditEntry(call, authority, row.epoch, what, { ...(authority.device.consent && { consent: true }), ...facts })
}

function check(call: Call, row: SetRow, { device }: SignerAuthority): void {
  const { services } = call
  checkRow(call, row, device)
  // Other chains have their own routes.
  if (getPublicSet(row).curve !== 'ed25519') throw new RelayError('invalid_request', { reason: 'chain' })
  const retryAfter = getWait(row.counters, services.clock.now(), MAX_A_MINUTE * services.limitFactor)
  if (retryAfter !== undefined) throw new RelayError('too_many_requests', { retryAfter })
}

/**
 * Checks policy, second factor and limits; then uses up the device signature, counts the spending and writes the
 * audit entry in one statement. Decides again when another request has changed the row.
 */
async function allow(call: Call, authority: SignerAuthority, kind: SignKind, message: Uint8Array) {
  const { services, environment } = call
  const { user, device, operation, nonce } = authority
  const now = services.clock.now()
  check(call, authority.row, authority)
  const prepared = await prepare(call, kind, message)
  const asked = { consent: device.consent, origin: user?.origin }
  const getAmounts = (row: SetRow): Amounts =>
    decide(environment, { row, counters: services.sets.getCounters(row) }, prepared, asked, now)
  // Decide before the second factor, so that the user enters no code for a refused request.
  const { spent } = services.sets.getCounters(authority.row)
  const first = getAmounts(authority.row)
  const mfa = user && (await demandMfa(call, user, SIGN_ACTION, operation, kind === 'rawMessage'))
  const signed = (row: SetRow): Change => {
    check(call, row, authority)
    const isSame = row === authority.row && services.sets.getCounters(row).spent === spent
    const amounts = isSame ? first : getAmounts(row)
    const tokens = [...amounts].filter(([asset]) => asset !== SOL).map(([mint, amount]) => `${amount} ${mint}`)
    return {
      ...services.sets.count(row, now, amounts),
      // Store only the receipt's hash: the receipt is long, and others must not use it.
      entry: getEntry(call, authority, row, 'signed', {
        kind,
        lamports: (amounts.get(SOL) ?? 0n).toString(),
        ...(tokens.length > 0 && { tokens: tokens.join() }),
        ...(mfa && { mfa: sha256(mfa) }),
      }),
    }
  }
  return { row: await services.sets.change(authority.row, signed, nonce), mfa }
}

/** Records a refusal and uses up the device signature. Returns the error to send. */
async function recordRefusal(
  call: Call,
  authority: SignerAuthority,
  kind: SignKind,
  refusal: Refusal,
): Promise<RelayError> {
  const { services } = call
  const refused = (row: SetRow): Change => {
    check(call, row, authority)
    return {
      ...services.sets.count(row, services.clock.now(), NO_AMOUNTS),
      entry: getEntry(call, authority, row, 'refused', { kind, rule: refusal.rule }),
    }
  }
  return refusalError(await services.sets.change(authority.row, refused, authority.nonce), refusal)
}

const peerAnswer = v.object({ answers: v.array(v.string()) })

/** Requests R2's answer, if R2 signs too; R2 makes all checks itself. */
async function peerAnswers(
  call: Call,
  row: SetRow,
  commitment: SignCommitment,
  mfa: string | undefined,
): Promise<readonly SignAnswer[]> {
  if (call.services.party !== 'R1' || !getPublicSet(row).parties.includes('R2')) return []
  const extra = { commitment: toText(encode(codecs.signCommitment, commitment)), record: row.record }
  const { answers } = await askPeer(call, peerAnswer, extra, mfa)
  return answers.map(answer => step(() => decode(codecs.signAnswer, toBytes(answer), anyPoint)))
}
