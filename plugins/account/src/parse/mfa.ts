import { isMfaAction, type MfaAction } from '@keybay/kernel/spec'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { MfaDevice } from '../user.js'
import { isObject, list, number, optional, type Rule, shape, text } from './check.js'
import { isDevice } from './user.js'

const isRequestOptions: Rule<PublicKeyCredentialRequestOptionsJSON> = (
  value,
): value is PublicKeyCredentialRequestOptionsJSON => isObject(value) && text(value.challenge)

export interface Challenge {
  readonly challengeId: string
  readonly expiresAt: number
  /** Set for a passkey. */
  readonly options?: PublicKeyCredentialRequestOptionsJSON | undefined
}
export const isChallenge: Rule<Challenge> = shape<Challenge>({
  challengeId: text,
  expiresAt: number,
  options: optional(isRequestOptions),
})
/** Details of `mfa_required`. */
export interface Demand {
  readonly action: MfaAction
  readonly requestHash: string
  readonly devices: readonly MfaDevice[]
}
export const isDemand: Rule<Demand> = shape<Demand>({ action: isMfaAction, requestHash: text, devices: list(isDevice) })
export const isMfaToken: Rule<{ readonly mfaToken: string }> = shape<{ readonly mfaToken: string }>({ mfaToken: text })
export const isDeviceList: Rule<{ readonly devices: readonly MfaDevice[] }> = shape<{
  readonly devices: readonly MfaDevice[]
}>({ devices: list(isDevice) })
export interface NewDevice {
  readonly device: MfaDevice
  readonly totp?: { readonly secret: string; readonly uri: string } | undefined
  readonly challenge: Challenge
}
export const isNewDevice: Rule<NewDevice> = shape<NewDevice>({
  device: isDevice,
  totp: optional(shape<{ readonly secret: string; readonly uri: string }>({ secret: text, uri: text })),
  challenge: isChallenge,
})
interface Codes {
  readonly recoveryCodes?: readonly string[] | undefined
}
export const isConfirmed: Rule<Codes> = shape<Codes>({ recoveryCodes: optional(list(text)) })
export const isRecoveryCodes: Rule<Required<Codes>> = shape<Required<Codes>>({ recoveryCodes: list(text) })
