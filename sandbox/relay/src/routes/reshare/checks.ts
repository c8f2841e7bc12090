/** Resharing checks: the dealers, their keys and the receivers. */
import { verifyShareProof } from '@keybay/waas/mpc'
import { authorizeKey, checkRow, type UserAuthority } from '../../authority/authorize.js'
import type { Operation } from '../../authority/session.js'
import { step } from '../../ceremonies/messages.js'
import { isFrame } from '../../ceremonies/plan.js'
import type { Source } from '../../ceremonies/source.js'
import { getThumbprint } from '../../crypto/jwk.js'
import { RelayError } from '../../http/errors.js'
import { toText } from '../../http/fields.js'
import type { Call } from '../../http/route.js'
import type { BeginBody } from './schema.js'

/**
 * Returns the facts of a delegation that the session key signs: the server, by the
 * name that the user reads, and its whole policy. Key and name are this relay's
 * own, so neither a script in the page nor the other relay can substitute a server.
 */
export function approvedBy({ purpose, policy }: BeginBody, { join }: Source): readonly string[] {
  return purpose === 'delegate' && join ? [toText(join.sealingKey), join.name, JSON.stringify(policy ?? null)] : []
}

/** Authorises a dealing. A key that is not registered must prove that it holds its shares. */
export async function authorizeDealing(
  call: Call,
  walletId: string,
  source: Source,
  body: BeginBody,
  operation: Operation,
): Promise<UserAuthority> {
  const { deviceKey, setId, newSetId } = body
  if (deviceKey) return authorizeKey(call, deviceKey, operation, { walletId, setId: newSetId })
  const authority = await authorizeKey(call, source.registeredKey, operation, { walletId, setId })
  if (source.row) checkRow(call, source.row, authority.device)
  return authority
}

/**
 * Checks the dealers against the key: the set's own device key deals for C; another key is that of a new device. The
 * proof of each share names the device key, so a relay that does not have the set needs no one's word for the key.
 */
export function checkDealers(
  { purpose, dealers, deviceKey, proofs, ceremonyId, joinId, policy }: BeginBody,
  walletId: string,
  { from, registeredKey }: Source,
) {
  const frameDealers = dealers.filter(isFrame)
  const wrong = new RelayError('invalid_request', { reason: 'dealers' })
  // Only a delegation brings a policy, which the user has signed; an additional device keeps the policy of its source.
  if (policy && purpose !== 'delegate') throw new RelayError('invalid_request', { reason: 'policy' })
  if (proofs.length !== frameDealers.length) throw wrong
  if (!deviceKey) {
    // A device adds another device only after that device has requested it.
    if (frameDealers.join() !== 'C' || purpose === 'replaceDevice') throw wrong
    if ((purpose === 'addDevice') !== (joinId !== undefined)) throw wrong
    // A delegate needs an explicit policy from the user.
    if (purpose === 'delegate' && !policy) throw new RelayError('invalid_request', { reason: 'policy' })
  } else {
    if (purpose === 'refresh' || purpose === 'reshare' || purpose === 'delegate' || joinId !== undefined) throw wrong
    if (frameDealers.includes('C') || frameDealers.length === 0) throw wrong
  }
  const device = getThumbprint(deviceKey ?? registeredKey)
  const context = Buffer.from(JSON.stringify(['keybay-dealer', ceremonyId, walletId, device]))
  for (const [index, party] of frameDealers.entries()) {
    const proof = proofs[index] ?? new Uint8Array()
    step(() => verifyShareProof(from, party, context, proof))
  }
}
