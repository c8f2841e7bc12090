/** What the API wants a ceremony to be, checked before the browser shows anything: the parameters of S9.3. */
import {
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
import type { Tools } from './tools.js'

/** The answer to `…/options`; what `options` must hold follows from the ceremony. */
export interface Started<Options> {
  readonly challengeId: string
  /** ms since epoch */
  readonly expiresAt: number
  readonly options: Options
}
type Rule = (value: unknown) => boolean
/** Where a field is → what it must be. */
type Rules = Readonly<Record<string, Rule>>

const text: Rule = value => typeof value === 'string' && value !== ''

function is(expected: string): Rule {
  return value => value === expected
}
/** base64url of so many bytes. */
function bytes(count: number): Rule {
  return value => typeof value === 'string' && /^[\w-]+$/.test(value) && Math.floor((value.length * 3) / 4) === count
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
      value,
    )
}

function listOf(rules: Rules, least = 0): Rule {
  return value => Array.isArray(value) && value.length >= least && value.every(one => !wrongField(rules, one))
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
const known = optional(listOf({ id: text, type: is('public-key') }))
const CREATION: Rules = {
  ...started,
  'options.rp.name': text,
  'options.user.id': bytes(PASSKEY_USER_ID_BYTES),
  'options.user.name': text,
  'options.pubKeyCredParams': listOf({ type: is('public-key'), alg: value => value === PASSKEY_ALGORITHM_COSE }, 1),
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

function reader<Options>(rules: Rules) {
  return ({ errors: [KeybayError] }: Pick<Tools, 'errors'>, answer: unknown): Started<Options> => {
    if (fits<Options>(rules, answer)) return answer
    throw new KeybayError(recordInvalid, { detail: `Passkey.${wrongField(rules, answer)}` })
  }
}
type Reader<Options> = (tools: Pick<Tools, 'errors'>, answer: unknown) => Started<Options>
/** @throws KeybayError `record_invalid`, naming the field */
export const readCreation: Reader<PublicKeyCredentialCreationOptionsJSON> = reader(CREATION)
/** @throws KeybayError `record_invalid`, naming the field */
export const readRequest: Reader<PublicKeyCredentialRequestOptionsJSON> = reader(REQUEST)
