/** Stores a bounded number of errors that kits log: `POST /api/v1/{environmentId}` (S7.6). */
import { randomUUID } from 'node:crypto'
import { getSite } from '@keybay/sandbox-service/http'
import * as v from 'valibot'
import { clientLogs } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, invalidRequest } from '../http/errors.js'

/** Matches the kit's maximum batch size. */
const MAX_ENTRIES = 50
const MAX_META_CHARACTERS = 20_000

function text(most: number) {
  return v.pipe(
    v.string(),
    v.transform(whole => whole.slice(0, most)),
  )
}
const entry = v.object({
  level: v.picklist(['debug', 'info', 'warn', 'error']),
  message: text(2000),
  meta: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(meta => (JSON.stringify(meta ?? null).length > MAX_META_CHARACTERS ? '[large]' : meta)),
    ),
  ),
  stack: v.optional(text(8000)),
  url: v.optional(v.object({ origin: v.optional(text(200)), pathname: v.optional(text(1000)) })),
  userAgent: v.optional(text(300)),
})
const entries = v.pipe(v.array(entry), v.minLength(1), v.maxLength(MAX_ENTRIES))

/** @throws ApiError `invalid_request`, `too_many_requests` */
export async function storeLogs(call: Call, body: unknown): Promise<void> {
  const { services, environment, network, rawBody } = call
  const amount = Buffer.byteLength(rawBody)
  await services.limits.spend(call, [
    { name: 'logs per network', who: network },
    { name: 'log bytes per network and day', who: network, amount },
    { name: 'log bytes per site and day', who: getSite(network), amount },
    { name: 'log bytes per environment and day', who: '', amount },
  ])
  const parsed = v.safeParse(entries, body)
  if (!parsed.success) throw new ApiError(invalidRequest)
  const receivedAt = services.clock.now()
  await services.db
    .insert(clientLogs)
    .values(
      parsed.output.map(logEntry => ({
        id: randomUUID(),
        environmentId: environment.id,
        receivedAt,
        entry: { ...logEntry },
      })),
    )
}
