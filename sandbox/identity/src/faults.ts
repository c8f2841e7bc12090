/** Bad days of a provider, for tests: set by `/admin/faults`, kept by the process. */
import * as v from 'valibot'

export const faultSchema = v.strictObject({
  /** Its servers answer 503. */
  down: v.optional(v.boolean()),
  /** ms before each answer. */
  slow: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000))),
  /** What the user comes back with, unasked. */
  returns: v.optional(v.picklist(['denied', 'server_error', 'no_code', 'state'])),
  /** Seconds by which its clock is wrong: of ID tokens and of Telegram's `auth_date`. */
  skew: v.optional(v.pipe(v.number(), v.integer(), v.minValue(-1_000_000), v.maxValue(1_000_000))),
  /** What is wrong with its ID tokens. */
  idToken: v.optional(v.picklist(['nonce', 'signature', 'audience', 'issuer'])),
  /** It tells nothing of the user but rubbish. */
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
