/** `/admin/clock`: moves the service's clock, for tests, from this machine only. */
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import type { MovableClock } from '../clock.js'
import { isLocalRequest, type RequestFacts } from '../local.js'

const MAX = 10 * 365 * 86_400_000
const move = v.strictObject({ advance: v.pipe(v.number(), v.integer(), v.minValue(-MAX), v.maxValue(MAX)) })

/** The service's own errors, sent as JSON. */
export interface AdminErrors {
  /** Error for a request that is not from this machine: 403. */
  notLocal(): Error
  /** Error for an invalid request: 400. */
  invalidRequest(details: { readonly expected: string }): Error
}

/** Reads the facts that `isLocalRequest` needs from a Hono request. */
export function factsOfContext(c: Context): RequestFacts {
  return {
    remoteAddress: getConnInfo(c).remote.address,
    header: name => c.req.header(name),
    headerNames: [...c.req.raw.headers.keys()],
  }
}

export function createAdmin(clock: MovableClock, errors: AdminErrors): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    if (!isLocalRequest(factsOfContext(c))) return c.json(errors.notLocal(), 403)
    return next()
  })
  app.get('/clock', c => c.json({ now: clock.now() }))
  app.post('/clock', async c => {
    const body = v.safeParse(move, await c.req.json().catch(() => undefined))
    if (!body.success) return c.json(errors.invalidRequest({ expected: '{ "advance": ms }' }), 400)
    clock.advance(body.output.advance)
    return c.json({ now: clock.now() })
  })
  app.delete('/clock', c => {
    clock.reset()
    return c.json({ now: clock.now() })
  })
  return app
}
