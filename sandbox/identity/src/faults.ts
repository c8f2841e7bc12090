/** Simulates failures of a provider for tests: `/admin/faults` sets them, and the process keeps them. */
import * as v from 'valibot'

export const faultSchema = v.strictObject({
  /** Makes the provider's servers answer 503. */
  down: v.optional(v.boolean()),
  /** Delay before each response, in ms. */
  slow: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000))),
  /** Forces the result with which the user returns. */
  returns: v.optional(v.picklist(['denied', 'server_error', 'no_code', 'state'])),
  /** Clock error in seconds, for ID tokens and Telegram's `auth_date`. */
  skew: v.optional(v.pipe(v.number(), v.integer(), v.minValue(-1_000_000), v.maxValue(1_000_000))),
  /** Defect of the provider's ID tokens. */
  idToken: v.optional(v.picklist(['nonce', 'signature', 'audience', 'issuer'])),
  /** Returns garbage instead of the user's data. */
  rubbish: v.optional(v.boolean()),
})
export type Fault = v.InferOutput<typeof faultSchema>

export class Faults {
  readonly #faults = new Map<string, Fault>()

  of(provider: string): Fault {
    return this.#faults.get(provider) ?? {}
  }

  set(provider: string, fault: Fault): void {
    this.#faults.set(provider, fault)
  }

  clear(): void {
    this.#faults.clear()
  }
}
