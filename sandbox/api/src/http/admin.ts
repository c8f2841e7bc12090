/** `/admin/clock`: moves the service's clock, for tests, from this machine only. */
import { getConnInfo } from '@hono/node-server/conninfo'
import { isLocalRequest, type MovableClock } from '@keybay/sandbox-service'
import { Hono } from 'hono'
import * as v from 'valibot'
import { ApiError, forbidden, invalidRequest } from './errors.js'

const MOST = 10 * 365 * 86_400_000
const move = v.strictObject({ advance: v.pipe(v.number(), v.integer(), v.minValue(-MOST), v.maxValue(MOST)) })

export const createAdmin = (clock: MovableClock): Hono => {
  const app = new Hono()
  app.use(async (c, next) => {
    const { remote } = getConnInfo(c)
    if (!isLocalRequest({ remoteAddress: remote.address, header: name => c.req.header(name) }))
      return c.json(new ApiError(forbidden), 403)
    return next()
  })
  app.get('/clock', c => c.json({ now: clock.now() }))
  app.post('/clock', async c => {
    const body = v.safeParse(move, await c.req.json().catch(() => undefined))
    if (!body.success) return c.json(new ApiError(invalidRequest, { expected: '{ "advance": ms }' }), 400)
    clock.advance(body.output.advance)
    return c.json({ now: clock.now() })
  })
  app.delete('/clock', c => {
    clock.reset()
    return c.json({ now: clock.now() })
  })
  return app
}
