/** The kernel's own errors that a wallet raises: handed over for the reason that `protocol/fault.ts` gives. */
import type { ErrorSpec, KeybayError } from '@keybay/kernel'
import { adoptErrors, fault, type ProtocolErrors } from '../protocol/fault.js'

export type ClientErrors = readonly [
  ...ProtocolErrors,
  sessionMissing: ErrorSpec,
  accountNotFound: ErrorSpec,
  userRejected: ErrorSpec,
  configInvalid: ErrorSpec,
]
let specs: readonly ErrorSpec[] = []

export function adoptClientErrors([KeybayError, toKeybayError, ...rest]: ClientErrors): void {
  adoptErrors([KeybayError, toKeybayError])
  specs = rest
}

function adopted(index: number, detail?: string): KeybayError {
  const spec = specs[index]
  if (!spec) throw new Error('adoptClientErrors has not been called')
  return fault(spec, { connectorId: 'waas', ...(detail && { detail }) })
}

export function sessionMissing(): KeybayError {
  return adopted(0, 'sign in first')
}

export function accountNotFound(): KeybayError {
  return adopted(1)
}

export function userRejected(): KeybayError {
  return adopted(2)
}

export function configInvalid(detail: string): KeybayError {
  return adopted(3, detail)
}
