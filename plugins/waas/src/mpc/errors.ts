/**
 * What the threshold kit raises. The code says what is wrong; `details` says which step noticed it and which party is to blame:
 * a wrong signature, share or proof names who sent it, and without a party it is the caller's own input.
 */
import { type ErrorSpec, errorSpec, KeybayError } from '@keybay/kernel/spec'
import type { Party } from './parties.js'

export const packageMalformed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_package_malformed', 'Malformed package')
export const pointInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_point_invalid', 'Not a point of the group')
export const scalarInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_scalar_invalid', 'Not a scalar of the group')
export const planInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_plan_invalid', 'Not what was agreed to')
/** Where only Solana's was expected: Ethereum's and Bitcoin's has to be asked for. */
export const curveUnknown: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_curve_unknown',
  'A key of another chain: say which',
)
/** Missing, twice, or nobody of the set. */
export const partyUnexpected: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_party_unexpected',
  'Not one message from each party',
)
export const commitmentBroken: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_commitment_broken',
  'Opened something else than was committed to',
)
export const proofInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_proof_invalid', 'Wrong proof of knowledge')
export const degreeWrong: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_degree_wrong', 'Dealt for another threshold')
/** In a resharing: the dealer's constant term is not its part of the key. */
export const constantChanged: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_constant_changed', 'Dealt another secret')
export const groupKeyChanged: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_group_key_changed', 'The key would change')
/** It does not lie on the polynomial that its dealer committed to. */
export const shareInvalid: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_share_invalid', 'Wrong share')
export const transcriptDiffers: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_transcript_differs',
  'The parties have not seen the same ceremony',
)
export const nonceUsed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_nonce_used', 'A nonce serves once')
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
/** The sealed seed is another wallet's, or was changed. */
export const seedUnreadable: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_seed_unreadable', 'The seed cannot be opened')
export const sealUnreadable: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_seal_unreadable', 'Sealed for somebody else')
export const passwordEmpty: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_password_empty', 'A backup needs a password')
export const backupMalformed: ErrorSpec = /* @__PURE__ */ errorSpec('mpc_backup_malformed', 'Not a backup')
/** Weaker than the floor, or more work than the ceiling: refused before any of it is done. */
export const backupParameters: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_backup_parameters',
  'The key derivation is out of bounds',
)
export const backupUnreadable: ErrorSpec = /* @__PURE__ */ errorSpec(
  'mpc_backup_unreadable',
  'Wrong password, or the backup was changed',
)
/** Of one that is under a passkey: no text opens it. */
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

/** An error with its blame, in the message too. */
export function fault(spec: ErrorSpec, step: MpcStep, party?: Party): KeybayError {
  const details: Blame = { step, ...(party && { party }) }
  return new KeybayError(spec, { detail: party ? `${step}, ${party}` : step, details })
}

/** Runs `act`; whatever it throws becomes this error. What it threw may quote its input, so it is not kept as the cause. */
export function orFault<T>(act: () => T, spec: ErrorSpec, step: MpcStep, party?: Party): T {
  try {
    return act()
  } catch {
    throw fault(spec, step, party)
  }
}
