/** Reads redacted payloads: the plugins' types are not known here, and a third party's event may hold anything. */
import { field } from '@keybay/kernel/spec'

/** Returns the text at the path; undefined if there is none. */
export function text(payload: unknown, ...path: readonly string[]): string | undefined {
  const value = path.reduce(field, payload)
  return typeof value === 'string' ? value : undefined
}

/** Returns the number at the path; undefined if there is none. */
export function amount(payload: unknown, ...path: readonly string[]): number | undefined {
  const value = path.reduce(field, payload)
  return typeof value === 'number' ? value : undefined
}

/** @example stepOf({ step: 'deal', number: 1, of: 4 }) // 'deal (1 of 4)' */
export function stepOf(payload: unknown): string | undefined {
  const [step, number] = [text(payload, 'step'), amount(payload, 'number')]
  return step === undefined || number === undefined ? step : `${step} (${number} of ${amount(payload, 'of')})`
}
