/** Authorizes access to backups by a statement of the session's key: a stolen token alone reads and replaces none. */
import * as v from 'valibot'
import type { ActiveSession, Call } from '../http/call.js'
import { readStatement, statementClaims } from '../security/statement.js'

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

/** @throws ApiError `invalid_proof`, with the reason */
export function assertStatement(call: Call, session: ActiveSession, what: 'read' | 'write'): void {
  const operations: readonly string[] = what === 'write' ? WRITING : READING
  readStatement(call, session, call.header('x-keybay-session') ?? '', {
    claims: v.object(statementClaims),
    maxAge: LIFETIME,
    maxAhead: AHEAD,
    isForThis: ({ op }) => operations.includes(op),
  })
}
