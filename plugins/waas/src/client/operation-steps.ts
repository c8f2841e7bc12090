/**
 * The steps of one operation. A step sends the request to a frame, or asks the user for a proof in the app. A frame that
 * refuses has done nothing, so the next step sends the same request again.
 *
 * ```
 *  hidden ── consent, or a factor that the frame asks for ──▶ visible ──▶ done
 *  │    ▲                                                     ▲    ▲ │
 *  │    └──── token ──── prove-in-app ──── token ─────────────┘    │ └─ unproved passkey ─▶ confirm-passkey ─┐
 *  └─▶ done              (from the frame that asked for a factor)  └──────────────── confirmed ───────────────┘
 * ```
 *
 * | step    | result | consent_required | mfa_required, the frame can ask | mfa_required, other | frame_passkey_unproved |
 * | ------- | ------ | ---------------- | ------------------------------- | ------------------- | ---------------------- |
 * | hidden  | done   | visible          | visible                         | prove-in-app (once) | failed                 |
 * | visible | done   | failed           | prove-in-app (once)             | prove-in-app (once) | confirm-passkey (once) |
 *
 * `reauthentication_required` leads from either frame to `sign-in-again` (once), and back to that frame.
 * `prove-in-app` leads back to its frame with a token, `confirm-passkey` to `visible`. Any other error, an abort and a frame
 * that does not load end the operation in every step. A silent operation ends with the first refusal.
 */
import { isMfaAction, type KeybayError, type MfaAction } from '@keybay/kernel/spec'
import { consentRequired, mfaRequired, passkeyUnproved } from '../protocol/errors.js'

/** Sends the request to a frame. */
export interface SendStep {
  readonly at: 'hidden' | 'visible'
  /** Present after `prove-in-app`. */
  readonly mfaToken?: string
  /** Present after `sign-in-again`. */
  readonly hasSignedIn?: true
  /** Present after `confirm-passkey`. */
  readonly isPasskeyConfirmed?: true
}
/** Asks the user for a second factor in the app. */
export interface ProveStep {
  readonly at: 'prove-in-app'
  readonly action: MfaAction
  readonly requestHash: string
  readonly repeat: SendStep
  readonly refusal: KeybayError
}
/** Confirms, with a passkey of the app, the passkey that the user made in the visible frame. */
export interface ConfirmStep {
  readonly at: 'confirm-passkey'
  readonly enrolmentId: string
}
/** Has the user sign in again in the app. */
export interface SignInStep {
  readonly at: 'sign-in-again'
  readonly repeat: SendStep
}
export type Step = SendStep | ProveStep | ConfirmStep | SignInStep

export interface StepRules {
  /** The second factor that the visible frame can ask for in this operation. */
  readonly frameFactor: MfaAction | undefined
  /** Show nothing and ask nothing. */
  readonly isSilent: boolean
}

type Details = Readonly<Record<string, unknown>>

function stepAfterFactor(step: SendStep, refusal: KeybayError, { frameFactor }: StepRules): Step | undefined {
  const { action, requestHash, devices }: Details = Object(refusal.details)
  if (!isMfaAction(action) || typeof requestHash !== 'string') return undefined
  const hasDevice = Array.isArray(devices) && devices.length > 0
  if (step.at === 'hidden' && hasDevice && action === frameFactor) return { at: 'visible' }
  if (step.mfaToken !== undefined) return undefined
  return { at: 'prove-in-app', action, requestHash, repeat: step, refusal }
}

function stepAfterPasskey(step: SendStep, refusal: KeybayError): Step | undefined {
  const { enrolmentId }: Details = Object(refusal.details)
  const canConfirm = step.at === 'visible' && !step.isPasskeyConfirmed && typeof enrolmentId === 'string'
  return canConfirm ? { at: 'confirm-passkey', enrolmentId } : undefined
}

/** Returns the step that follows a frame's refusal. Undefined: the refusal is the error of the operation. */
export function stepAfterRefusal(step: SendStep, refusal: KeybayError, rules: StepRules): Step | undefined {
  if (rules.isSilent) return undefined
  switch (refusal.code) {
    case consentRequired.code:
      return step.at === 'hidden' ? { at: 'visible' } : undefined
    case mfaRequired.code:
      return stepAfterFactor(step, refusal, rules)
    case 'reauthentication_required':
      return step.hasSignedIn ? undefined : { at: 'sign-in-again', repeat: { ...step, hasSignedIn: true } }
    case passkeyUnproved.code:
      return stepAfterPasskey(step, refusal)
    default:
      return undefined
  }
}
