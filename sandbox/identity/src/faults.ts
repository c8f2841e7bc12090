/** Simulates failures of a provider for tests: `/admin/faults` sets them, and the process keeps them. */
import { Hono } from 'hono'
import * as v from 'valibot'

const faultSchema = v.strictObject({
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
type Fault = v.InferOutput<typeof faultSchema>

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

const body = v.strictObject({ provider: v.pipe(v.string(), v.minLength(1)), ...faultSchema.entries })

/** Serves `/admin/faults` to this machine only; the admin's own guard runs first. */
export function createFaults(faults: Faults): Hono {
  const app = new Hono()
  app.post('/', async c => {
    const parsed = v.safeParse(body, await c.req.json().catch(() => undefined))
    if (!parsed.success) return c.json({ error: 'invalid_request', message: parsed.issues[0].message }, 400)
    const { provider, ...fault } = parsed.output
    faults.set(provider, fault)
    return c.json({ provider, fault })
  })
  app.delete('/', c => {
    faults.clear()
    return c.json({})
  })
  return app
}
