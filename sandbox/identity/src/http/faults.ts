/** Serves `/admin/faults`, where tests set faults, from this machine only; the admin's own guard runs first. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { type Faults, faultSchema } from '../faults.js'

const body = v.strictObject({ provider: v.pipe(v.string(), v.minLength(1)), ...faultSchema.entries })

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
