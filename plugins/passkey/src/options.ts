/** Checks the API's ceremony options against S9.3 before the browser shows a dialog. */
import {
  field,
  KeybayError,
  PASSKEY_ALGORITHM_COSE,
  PASSKEY_CHALLENGE_BYTES,
  PASSKEY_RESIDENT_KEY,
  PASSKEY_USER_ID_BYTES,
  PASSKEY_USER_VERIFICATION,
  recordInvalid,
} from '@keybay/kernel/spec'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
/** Response of `…/options`. */
export interface Started<Options> {
  readonly challengeId: string
  /** ms since epoch */
  readonly expiresAt: number
  readonly options: Options
}
type Rule = (value: unknown) => boolean
type Rules = Readonly<Record<string, Rule>>

const text: Rule = value => typeof value === 'string' && value !== ''

function is(expected: string): Rule {
  return value => value === expected
}
/** Returns a rule for the base64url of `count` bytes. */
function bytes(count: number): Rule {
  return value => typeof value === 'string' && /^[\w-]+$/.test(value) && Math.floor((value.length * 3) / 4) === count
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>(field, value)
}

function toList(rules: Rules, minimum = 0): Rule {
  return value => Array.isArray(value) && value.length >= minimum && value.every(item => !wrongField(rules, item))
}

function optional(rule: Rule): Rule {
  return value => value === undefined || rule(value)
}

function wrongField(rules: Rules, value: unknown): string | undefined {
  return Object.entries(rules).find(([path, rule]) => !rule(at(value, path)))?.[0]
}

const started: Rules = {
  challengeId: text,
  expiresAt: Number.isFinite,
  'options.challenge': bytes(PASSKEY_CHALLENGE_BYTES),
}
const known = optional(toList({ id: text, type: is('public-key') }))
const CREATION: Rules = {
  ...started,
  'options.rp.name': text,
  'options.user.id': bytes(PASSKEY_USER_ID_BYTES),
  'options.user.name': text,
  'options.pubKeyCredParams': toList({ type: is('public-key'), alg: value => value === PASSKEY_ALGORITHM_COSE }, 1),
  'options.authenticatorSelection.userVerification': is(PASSKEY_USER_VERIFICATION),
  'options.authenticatorSelection.residentKey': is(PASSKEY_RESIDENT_KEY),
  'options.excludeCredentials': known,
}
const REQUEST: Rules = {
  ...started,
  'options.rpId': text,
  'options.userVerification': is(PASSKEY_USER_VERIFICATION),
  'options.allowCredentials': known,
}

function fits<Options>(rules: Rules, value: unknown): value is Started<Options> {
  return !wrongField(rules, value)
}

function reader<Options>(rules: Rules): Reader<Options> {
  return response => {
    if (fits<Options>(rules, response)) return response
    throw new KeybayError(recordInvalid, { detail: `Passkey.${wrongField(rules, response)}` })
  }
}
type Reader<Options> = (response: unknown) => Started<Options>
/** @throws KeybayError `record_invalid`, naming the field */
export const readCreation: Reader<PublicKeyCredentialCreationOptionsJSON> = reader(CREATION)
/** @throws KeybayError `record_invalid`, naming the field */
export const readRequest: Reader<PublicKeyCredentialRequestOptionsJSON> = reader(REQUEST)
