/** Authorizes access to backups by a statement of the session's key: a stolen token alone reads and replaces none. */
import * as v from 'valibot'
import type { ActiveSession, Call } from '../http/call.js'
import { sameText } from '../security/hashes.js'
import { readJws } from '../security/jws.js'
import { refuseProof } from '../security/proof.js'

const STATEMENT_TYPE = 'keybay-session+jwt'
/** Maximum age of a statement, in ms; leaves the user time to choose, type and wait. */
const LIFETIME = 15 * 60_000
const AHEAD = 60_000

/** Relay names of the operations that create, change, check or open a backup. */
const WRITING = [
  'createWalletAccount',
  'importPrivateKey',
  'backupKeyShares',
  'refreshWalletAccountShares',
  'reshare',
  'replaceDevice',
] as const
const READING = [...WRITING, 'addDevice', 'getWallets'] as const

const claims = v.object({ sid: v.string(), op: v.string(), origin: v.string(), iat: v.number() })

/** @throws ApiError `invalid_proof`, with the reason */
export function assertStatement(
  { services, environment, header }: Call,
  session: ActiveSession,
  what: 'read' | 'write',
): void {
  const now = services.clock.now()
  const refuse = (reason: string) => refuseProof(reason, now)
  const jws = readJws(header('x-keybay-session') ?? '')
  const { key } = services.importKey(session.publicKey)
  if (!jws?.verifiedBy(key, STATEMENT_TYPE)) throw refuse('signature')
  const parsed = v.safeParse(claims, jws.payload)
  if (!parsed.success) throw refuse('claims')
  const { sid, op, origin, iat } = parsed.output
  if (!sameText(sid, session.id)) throw refuse('session')
  if (iat * 1000 > now + AHEAD || iat * 1000 < now - LIFETIME) throw refuse('time')
  if (!environment.pageOrigins.has(origin)) throw refuse('origin')
  const operations: readonly string[] = what === 'write' ? WRITING : READING
  if (!operations.includes(op)) throw refuse('request')
}
