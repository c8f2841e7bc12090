import { KeybayError, userRejected } from '@keybay/kernel'
import type { MfaAction } from '@keybay/kernel/spec'
import { describe, expect, it } from 'vitest'
import { type SendStep, type Step, stepAfterRefusal } from '../../src/client/operation-steps.js'
import { consentRequired, mfaRequired, passkeyUnproved } from '../../src/protocol/index.js'

const requestHash = 'hash'
function factor(action: MfaAction, devices: readonly unknown[] = [{ method: 'totp' }]) {
  return new KeybayError(mfaRequired, { details: { action, requestHash, devices } })
}
const REFUSALS = {
  consent: new KeybayError(consentRequired),
  frameFactor: factor('wallet.waas.sign'),
  otherFactor: factor('wallet.waas.export'),
  noDevice: factor('wallet.waas.sign', []),
  passkey: new KeybayError(passkeyUnproved, { details: { enrolmentId: 'e-1' } }),
  staleSignIn: new KeybayError({ code: 'reauthentication_required', message: 'Sign in again' }),
  other: new KeybayError(userRejected),
  factorWithoutHash: new KeybayError(mfaRequired, { details: { action: 'wallet.waas.sign' } }),
  passkeyWithoutId: new KeybayError(passkeyUnproved),
}
type Refusal = keyof typeof REFUSALS
const STEPS = {
  hidden: { at: 'hidden' },
  'hidden with a token': { at: 'hidden', mfaToken: 'token' },
  'hidden after a sign-in': { at: 'hidden', hasSignedIn: true },
  visible: { at: 'visible' },
  'visible with a token': { at: 'visible', mfaToken: 'token' },
  'visible after a confirmation': { at: 'visible', isPasskeyConfirmed: true },
} as const satisfies Record<string, SendStep>

/** Every cell of the table in `operation-steps.ts`; a refusal that is not listed ends the operation. */
const TRANSITIONS: Readonly<Record<keyof typeof STEPS, Partial<Record<Refusal, Step['at']>>>> = {
  hidden: {
    consent: 'visible',
    frameFactor: 'visible',
    otherFactor: 'prove-in-app',
    noDevice: 'prove-in-app',
    staleSignIn: 'sign-in-again',
  },
  'hidden with a token': { consent: 'visible', frameFactor: 'visible', staleSignIn: 'sign-in-again' },
  'hidden after a sign-in': {
    consent: 'visible',
    frameFactor: 'visible',
    otherFactor: 'prove-in-app',
    noDevice: 'prove-in-app',
  },
  visible: {
    frameFactor: 'prove-in-app',
    otherFactor: 'prove-in-app',
    noDevice: 'prove-in-app',
    passkey: 'confirm-passkey',
    staleSignIn: 'sign-in-again',
  },
  'visible with a token': { passkey: 'confirm-passkey', staleSignIn: 'sign-in-again' },
  'visible after a confirmation': {
    frameFactor: 'prove-in-app',
    otherFactor: 'prove-in-app',
    noDevice: 'prove-in-app',
    staleSignIn: 'sign-in-again',
  },
}
const refusals: readonly Refusal[] = Object.keys(REFUSALS).filter((name): name is Refusal => name in REFUSALS)
const rules = { frameFactor: 'wallet.waas.sign', isSilent: false } as const

describe.each(Object.entries(STEPS))('%s', (name, step: SendStep) => {
  const row = Object.entries(TRANSITIONS).find(([key]) => key === name)?.[1] ?? {}

  it.each(refusals)('moves to the step of the transition table after the refusal %s', refusal => {
    expect(stepAfterRefusal(step, REFUSALS[refusal], rules)?.at).toBe(row[refusal])
  })

  it.each(refusals)('ends a silent operation at the refusal %s', refusal => {
    expect(stepAfterRefusal(step, REFUSALS[refusal], { ...rules, isSilent: true })).toBeUndefined()
  })
})

it('proves a factor in the app when the frame supports no factor', () => {
  const noFactor = { frameFactor: undefined, isSilent: false }
  expect(stepAfterRefusal({ at: 'visible' }, REFUSALS.frameFactor, noFactor)).toEqual({
    at: 'prove-in-app',
    action: 'wallet.waas.sign',
    requestHash,
    repeat: { at: 'visible' },
    refusal: REFUSALS.frameFactor,
  })
})

it('remembers a confirmation over a proof in the app, and asks for a new proof after a confirmation', () => {
  const confirmed = { at: 'visible', isPasskeyConfirmed: true } as const
  expect(stepAfterRefusal(confirmed, REFUSALS.otherFactor, rules)).toMatchObject({ repeat: confirmed })
  expect(stepAfterRefusal({ ...confirmed, mfaToken: 'token' }, REFUSALS.passkey, rules)).toBeUndefined()
})
