/**
 * Authorizes access to backups: the frame's key signs each request, and a statement of the session's key allows one
 * operation of one frame. A stolen token, a script of the page or a copied request alone reaches no backup.
 */
import * as v from 'valibot'
import { type BackupAuthority, demandFrameKey, type FrameCall } from '../mfa/frame-keys.js'
import { sha256 } from '../security/hashes.js'
import { isUsed, useOnce } from '../security/once.js'
import { refuseProof } from '../security/proof.js'
import { readStatement, STATEMENT_TYPE, statementClaims } from '../security/statement.js'

/** Maximum age of a statement, in ms; leaves the user time to choose, type and wait. */
export const LIFETIME: number = 15 * 60_000
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

const claims = v.object({ ...statementClaims, jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)) })

/**
 * Checks the page's statement, which serves the first frame key that uses it, on every instance, and no other.
 * @returns an ID of the statement
 * @throws ApiError `invalid_proof`, with the reason
 */
export async function assertStatement(call: FrameCall, what: 'read' | 'write'): Promise<string> {
  const { services, session, key } = call
  const operations: readonly string[] = what === 'write' ? WRITING : READING
  const { jti } = readStatement(call, session, call.header('x-keybay-session') ?? '', {
    claims,
    maxAge: LIFETIME,
    maxAhead: AHEAD,
    isForThis: ({ op }) => operations.includes(op),
  })
  const id = sha256(`${STATEMENT_TYPE}.backups.${session.thumbprint}.${jti}`)
  const use = sha256(`${id}.${key.thumbprint}`)
  const expiresAt = services.clock.now() + LIFETIME + AHEAD
  // One transaction: a second request of the frame waits until the first one has named the key.
  const isOurs = await services.db.transaction(async tx =>
    (await useOnce(tx, { id, expiresAt })) ? useOnce(tx, { id: use, expiresAt }) : isUsed(tx, use),
  )
  if (!isOurs) throw refuseProof('replay', services.clock.now())
  return id
}

/** @throws ApiError `invalid_proof`, with the reason; `reauthentication_required` for a key that is not registered */
export async function authorizeBackup(call: FrameCall, what: 'read' | 'write'): Promise<BackupAuthority> {
  const statementId = await assertStatement(call, what)
  return { statementId, frameKey: await demandFrameKey(call) }
}
