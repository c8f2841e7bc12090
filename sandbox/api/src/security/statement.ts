/** Reads a statement by the session's key, with which a page lets a wallet frame act for one operation. */
import * as v from 'valibot'
import type { ActiveSession, Call } from '../http/call.js'
import type { ApiError } from '../http/errors.js'
import { sameText } from './hashes.js'
import { readJws } from './jws.js'
import { refuseProof } from './proof.js'

export const STATEMENT_TYPE = 'keybay-session+jwt'

export const statementClaims = { sid: v.string(), op: v.string(), origin: v.string(), iat: v.number() }
type Claims = v.InferOutput<v.ObjectSchema<typeof statementClaims, undefined>>

export interface StatementRules<C extends Claims> {
  readonly claims: v.GenericSchema<unknown, C>
  /** How old a statement may be, and how far ahead its time, in ms. */
  readonly maxAge: number
  readonly maxAhead: number
  isForThis(claims: C): boolean
}

/** @throws ApiError `invalid_proof`, with the reason */
export function readStatement<C extends Claims>(
  { services, environment }: Call,
  session: ActiveSession,
  statement: string,
  rules: StatementRules<C>,
): C {
  const now = services.clock.now()
  const refuse = (reason: string): ApiError => refuseProof(reason, now)
  const jws = readJws(statement)
  if (!jws?.verifiedBy(services.importKey(session.publicKey).key, STATEMENT_TYPE)) throw refuse('signature')
  const parsed = v.safeParse(rules.claims, jws.payload)
  if (!parsed.success) throw refuse('claims')
  const { sid, origin, iat } = parsed.output
  if (!sameText(sid, session.id)) throw refuse('session')
  if (iat * 1000 > now + rules.maxAhead || iat * 1000 < now - rules.maxAge) throw refuse('time')
  if (!environment.pageOrigins.has(origin)) throw refuse('origin')
  if (!rules.isForThis(parsed.output)) throw refuse('request')
  return parsed.output
}
