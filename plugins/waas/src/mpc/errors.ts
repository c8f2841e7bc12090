/** Errors of threshold cryptography. `details` name the step and the party to blame; without one, the caller's input. */
import { type ErrorSpec, KeybayError } from '@keybay/kernel/spec'
import type { Party } from './parties.js'

export const packageMalformed: ErrorSpec = { code: 'mpc_package_malformed', message: 'Malformed package' }
export const pointInvalid: ErrorSpec = { code: 'mpc_point_invalid', message: 'Not a point of the group' }
export const scalarInvalid: ErrorSpec = { code: 'mpc_scalar_invalid', message: 'Not a scalar of the group' }
export const planInvalid: ErrorSpec = { code: 'mpc_plan_invalid', message: 'Not the agreed plan' }
/** secp256k1 was not enabled; code for Ethereum and Bitcoin calls `enableSecp256k1`. */
export const curveUnknown: ErrorSpec = {
  code: 'mpc_curve_unknown',
  message: 'The key belongs to another chain. Name its chain',
}
/** A party that is missing, repeated, or not of the set. */
export const partyUnexpected: ErrorSpec = { code: 'mpc_party_unexpected', message: 'Not one message from each party' }
export const commitmentBroken: ErrorSpec = {
  code: 'mpc_commitment_broken',
  message: 'The opening does not match the commitment',
}
export const proofInvalid: ErrorSpec = { code: 'mpc_proof_invalid', message: 'Wrong proof of knowledge' }
export const degreeWrong: ErrorSpec = { code: 'mpc_degree_wrong', message: 'Dealt for another threshold' }
/** In a resharing: the dealer's constant term is not its part of the key. */
export const constantChanged: ErrorSpec = { code: 'mpc_constant_changed', message: 'Dealt another secret' }
export const groupKeyChanged: ErrorSpec = { code: 'mpc_group_key_changed', message: 'The key would change' }
/** The share is not on the polynomial that its dealer committed to. */
export const shareInvalid: ErrorSpec = { code: 'mpc_share_invalid', message: 'Wrong share' }
export const transcriptDiffers: ErrorSpec = {
  code: 'mpc_transcript_differs',
  message: 'The parties have different transcripts of the ceremony',
}
export const nonceUsed: ErrorSpec = { code: 'mpc_nonce_used', message: 'This nonce was already used' }
export const signatureShareInvalid: ErrorSpec = {
  code: 'mpc_signature_share_invalid',
  message: 'Wrong signature share',
}
export const setsMixed: ErrorSpec = { code: 'mpc_sets_mixed', message: 'Shares of different sets or epochs' }
export const sharesMissing: ErrorSpec = { code: 'mpc_shares_missing', message: 'Not enough shares' }
export const epochUnexpected: ErrorSpec = { code: 'mpc_epoch_unexpected', message: 'Not the pending epoch' }
export const keyMalformed: ErrorSpec = { code: 'mpc_key_malformed', message: 'Not a Solana secret key' }
export const keyHalvesDiffer: ErrorSpec = {
  code: 'mpc_key_halves_differ',
  message: 'The public half is not that of the secret half',
}
/** The sealed seed was changed or belongs to another wallet. */
export const seedUnreadable: ErrorSpec = { code: 'mpc_seed_unreadable', message: 'The seed cannot be opened' }
export const sealUnreadable: ErrorSpec = { code: 'mpc_seal_unreadable', message: 'Sealed for another recipient' }
export const passwordEmpty: ErrorSpec = { code: 'mpc_password_empty', message: 'A backup needs a password' }
export const backupMalformed: ErrorSpec = { code: 'mpc_backup_malformed', message: 'Not a backup' }
/** Below the minimum, or above the maximum work: refused before any of it is done. */
export const backupParameters: ErrorSpec = {
  code: 'mpc_backup_parameters',
  message: 'The key derivation is out of bounds',
}
export const backupUnreadable: ErrorSpec = {
  code: 'mpc_backup_unreadable',
  message: 'Wrong password, or the backup was changed',
}
/** A passkey protects this backup: no text opens it. */
export const backupPasskey: ErrorSpec = {
  code: 'mpc_backup_passkey',
  message: 'This backup opens with a passkey, not with a password',
}

/** The step that noticed. */
export type MpcStep =
  | 'encode'
  | 'decode'
  | 'plan'
  | 'dkg-open'
  | 'dkg-deal'
  | 'dkg-finish'
  | 'entropy-open'
  | 'deal'
  | 'accept-deal'
  | 'reshare-deal'
  | 'reshare-receive'
  | 'confirm'
  | 'epoch'
  | 'prove-share'
  | 'co-sign'
  | 'finish-signature'
  | 'combine'
  | 'seed'
  | 'import'
  | 'seal'
  | 'backup'
  | 'ecdsa'

/** `details` of every error of this kit. */
export interface Blame {
  readonly step: MpcStep
  readonly party?: Party
}

/** Steps whose errors a user sees, who chose a file or wrote a key. Their names would tell the user nothing. */
const STEPS_OF_USERS: ReadonlySet<MpcStep> = new Set(['backup', 'import'])

/** Creates an error that names the step and the party, in the message too unless a user sees it. */
export function fault(spec: ErrorSpec, step: MpcStep, party?: Party): KeybayError {
  const details: Blame = { step, ...(party && { party }) }
  if (STEPS_OF_USERS.has(step)) return new KeybayError(spec, { details })
  return new KeybayError(spec, { detail: party ? `${step}, ${party}` : step, details })
}

/** Runs `act` and throws this error, without a cause, for whatever it throws: that may quote its input. */
export function orFault<T>(act: () => T, spec: ErrorSpec, step: MpcStep, party?: Party): T {
  try {
    return act()
  } catch {
    throw fault(spec, step, party)
  }
}
