/** The user's security log. */
import { SECURITY_EVENT_KINDS } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { readEvents } from '../security-log/events.js'

const route = routesOf('security log')

const PAGE = 20

const eventSchema = v.object({
  id: v.string(),
  kind: v.picklist(SECURITY_EVENT_KINDS),
  at: time,
  device: v.pipe(v.nullable(v.string()), v.description('Browser and system; null if no request of the user caused it')),
  network: v.pipe(v.nullable(v.string()), v.description('IPv4 /24 or IPv6 /48')),
  detail: v.pipe(v.nullable(v.string()), v.description('Sign-in method, factor or wallet address')),
})

const list = route('GET /users/me/security-log', {
  summary: 'What happened to the account, the newest first. A host’s server may ask with its user’s token.',
  access: 'bearer',
  unfinished: true,
  query: v.strictObject({ before: v.optional(v.pipe(v.string(), v.maxLength(128))) }),
  answer: v.object({
    events: v.array(eventSchema),
    next: v.pipe(v.nullable(v.string()), v.description('`before` of the next page; null on the last one')),
  }),
  run: async ({ services, session, query }) => {
    const { events, next } = await readEvents(services.db, session.userId, { ...query, limit: PAGE })
    return { events: events.map(event => v.parse(eventSchema, event)), next }
  },
})

export const securityLogRoutes: readonly Route[] = [list]
