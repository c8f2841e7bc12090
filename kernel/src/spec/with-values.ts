import type { ErrorSpec } from './errors.js'

/**
 * Fills in the placeholders of a message.
 *
 * @throws RangeError if a placeholder has no value: the user must never see an unfilled message.
 * @example
 * throw new KeybayError(withValues(sessionTimeout, { provider: 'google' }))
 * // "Connecting google account session timeout."
 */
export function withValues<const Code extends string>(
  error: ErrorSpec<Code>,
  values: Readonly<Record<string, string>>,
): ErrorSpec<Code> {
  return {
    ...error,
    message: error.message.replace(/\{(\w+)\}/g, (_, place: string) => {
      const value = Object.hasOwn(values, place) ? values[place] : undefined
      if (value === undefined) throw new RangeError(`No value for {${place}} in the message of ${error.code}`)
      return value
    }),
  }
}
