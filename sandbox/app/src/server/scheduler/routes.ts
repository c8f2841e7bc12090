/** `/scheduler`: returns the identity, creates a schedule, returns its state, deletes it. Local requests only. */
import { isKeybayError } from '@keybay/kernel'
import { isAddress } from '@keybay/solana'
import * as v from 'valibot'
import type { Scheduler } from './index.js'

export interface Answer {
  readonly status: number
  readonly body: object
}
export interface Asked {
  readonly method: string | undefined
  readonly path: string
  /** Returns the body as JSON; undefined when it is not JSON. */
  readonly json: () => Promise<unknown>
}

const MINUTE = 60
const YEAR = 366 * 86_400
const order = v.strictObject({
  sealedShare: v.pipe(v.string(), v.base64(), v.maxLength(200_000)),
  to: v.pipe(
    v.string(),
    v.check(text => isAddress(text)),
  ),
  lamports: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  every: v.pipe(v.number(), v.integer(), v.minValue(MINUTE), v.maxValue(YEAR)),
  times: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
})

/** Maximum body length in characters: a share for three parties is far smaller. */
export const MAX_BODY = 256_000

function failed(status: number, code: string, message: string): Answer {
  return { status, body: { code, message } }
}
const notFound = failed(404, 'not_found', 'Schedule not found.')

async function create(scheduler: Scheduler, json: unknown): Promise<Answer> {
  const { success, output } = v.safeParse(order, json)
  if (!success)
    return failed(
      400,
      'invalid_request',
      'Send { sealedShare (base64), to, lamports, every (seconds, at least 60), times } as JSON.',
    )
  const { sealedShare, lamports, ...rest } = output
  try {
    const made = { ...rest, sealedShare: Buffer.from(sealedShare, 'base64'), lamports: BigInt(lamports) }
    return { status: 201, body: await scheduler.schedule(made) }
  } catch (error) {
    if (isKeybayError(error)) return failed(409, error.code, error.message)
    throw error
  }
}

/** @returns undefined when the path is not one of its own */
export async function answerScheduler(scheduler: Scheduler, request: Asked): Promise<Answer | undefined> {
  const [first, setId, ...more] = request.path.split('/').slice(1)
  if (first !== 'scheduler' || more.length > 0) return undefined
  const route = `${request.method} ${setId === undefined ? '/' : '/:setId'}`
  switch (route) {
    case 'GET /':
      return { status: 200, body: scheduler.identity }
    case 'POST /':
      return create(scheduler, await request.json())
    case 'GET /:setId':
      // Not 404: a page queries every delegate of a wallet, and a browser reports each 404.
      return { status: 200, body: scheduler.read(setId ?? '') ?? { status: 'none' } }
    case 'DELETE /:setId':
      return scheduler.remove(setId ?? '') ? { status: 200, body: {} } : notFound
    default:
      return failed(405, 'method_not_allowed', 'GET, POST and DELETE are answered here.')
  }
}
