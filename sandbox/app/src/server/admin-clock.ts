/** `/admin/clock`, as in the sandbox's other services: moves the scheduler's clock, for tests. */
import type { MovableClock } from '@keybay/sandbox-service'
import * as v from 'valibot'
import type { Answer, Asked } from './scheduler/routes.js'

const MAX = 10 * 365 * 86_400_000
const move = v.strictObject({ advance: v.pipe(v.number(), v.integer(), v.minValue(-MAX), v.maxValue(MAX)) })

/** The caller must have verified that the request is local. */
export async function answerAdmin(clock: MovableClock, { method, path, json }: Asked): Promise<Answer> {
  const says = (): Answer => ({ status: 200, body: { now: clock.now() } })
  if (path !== '/admin/clock')
    return { status: 404, body: { code: 'not_found', message: 'There is only /admin/clock.' } }
  if (method === 'DELETE') clock.reset()
  else if (method === 'POST') {
    const { success, output } = v.safeParse(move, await json())
    if (!success) return { status: 400, body: { code: 'invalid_request', message: 'Send { "advance": ms } as JSON.' } }
    clock.advance(output.advance)
  }
  return says()
}
