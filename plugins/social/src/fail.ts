/** Errors of one connector. */
import { type ErrorSpec, KeybayError, withValues } from '@keybay/kernel/spec'

/** @param values of the placeholders in the message, except `{provider}` */
export type Fail = (error: ErrorSpec, cause?: unknown, values?: Readonly<Record<string, string>>) => KeybayError

export function createFail(provider: string): Fail {
  return (error, cause, values) =>
    new KeybayError(withValues(error, { provider, ...values }), { cause, connectorId: `social:${provider}` })
}
