/**
 * Errors of threshold cryptography. The code names the fault; `details` names the step that noticed it and the party to
 * blame: the sender of a wrong signature, share or proof. Without a party the caller's own input is wrong.
 */
import { type ErrorSpec, errorSpec, KeybayError } from '@keybay/kernel/spec'
import type { Party } from './parties.js'

export const packageMalformed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_package_malformed', 'Malformed package')
export const pointInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_point_invalid', 'Not a point of the group')
export const scalarInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_scalar_invalid', 'Not a scalar of the group')
export const planInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_plan_invalid', 'Not the agreed plan')
/** secp256k1 was not enabled; code for Ethereum and Bitcoin calls `enableSecp256k1`. */
export const curveUnknown: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_curve_unknown',
  'The key belongs to another chain. Name its chain',
)
/** A party that is missing, repeated, or not of the set. */
export const partyUnexpected: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_party_unexpected',
  'Not one message from each party',
)
export const commitmentBroken: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_commitment_broken',
  'The opening does not match the commitment',
)
export const proofInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_proof_invalid', 'Wrong proof of knowledge')
export const degreeWrong: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_degree_wrong', 'Dealt for another threshold')
/** In a resharing: the dealer's constant term is not its part of the key. */
export const constantChanged: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_constant_changed', 'Dealt another secret')
export const groupKeyChanged: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_group_key_changed', 'The key would change')
/** The share is not on the polynomial that its dealer committed to. */
export const shareInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_share_invalid', 'Wrong share')
export const transcriptDiffers: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_transcript_differs',
  'The parties have different transcripts of the ceremony',
)
export const nonceUsed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_nonce_used', 'This nonce was already used')
export const signatureShareInvalid: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_signature_share_invalid',
  'Wrong signature share',
)
export const setsMixed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_sets_mixed', 'Shares of different sets or epochs')
export const sharesMissing: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_shares_missing', 'Not enough shares')
export const epochUnexpected: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_epoch_unexpected', 'Not the pending epoch')
export const keyMalformed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_key_malformed', 'Not a Solana secret key')
export const keyHalvesDiffer: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_key_halves_differ',
  'The public half is not that of the secret half',
)
/** The sealed seed was changed or belongs to another wallet. */
export const seedUnreadable: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_seed_unreadable', 'The seed cannot be opened')
export const sealUnreadable: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_seal_unreadable',
  'Sealed for another recipient',
)
export const passwordEmpty: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_password_empty', 'A backup needs a password')
export const backupMalformed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_backup_malformed', 'Not a backup')
/** Below the minimum, or above the maximum work: refused before any of it is done. */
export const backupParameters: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_backup_parameters',
  'The key derivation is out of bounds',
)
export const backupUnreadable: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_backup_unreadable',
  'Wrong password, or the backup was changed',
)
/** A passkey protects this backup: no text opens it. */
export const backupPasskey: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_backup_passkey',
  'This backup opens with a passkey, not with a password',
)

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

/** Creates an error that names the step and the party, in the message too. */
export function fault(spec: ErrorSpec, step: MpcStep, party?: Party): KeybayError {
  const details: Blame = { step, ...(party && { party }) }
  return new KeybayError(spec, { detail: party ? `${step}, ${party}` : step, details })
}

/**
 * Runs `act` and throws this error for whatever it throws. A thrown value may quote its input, so it does not become
 * the cause.
 */
export function orFault<T>(act: () => T, spec: ErrorSpec, step: MpcStep, party?: Party): T {
  try {
    return act()
  } catch {
    throw fault(spec, step, party)
  }
}
