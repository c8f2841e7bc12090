/** The HTTP side: the SMS endpoint, JSON for tests and tools, and the page for people. */
import { isLocalRequest, isStandInRequest, type MovableClock } from '@keybay/sandbox-service'
import { type AdminErrors, createAdmin, factsOfContext } from '@keybay/sandbox-service/admin'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Message, normalizeRecipient } from './message.js'
import { listPage, messagePage, missingPage, SECURITY_HEADERS } from './page.js'
import type { Filter, MessageStore } from './store.js'

const MAX_BODY_BYTES = 16 * 1024
/** Longest wait for a message that has not come yet, ms. */
const MAX_WAIT = 30_000
const SMS_LENGTH = 1_600

function textOf(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= most ? value : undefined
}

function filterOf(c: Context): Filter {
  const kind = c.req.query('kind')
  return { to: c.req.query('to'), kind: kind === 'mail' || kind === 'sms' ? kind : undefined }
}

function failure(c: Context, status: 400 | 403 | 404, code: string, message: string): Response {
  return c.json({ code, message }, status)
}

function notFound(c: Context): Response {
  return failure(c, 404, 'not_found', 'No such message.')
}

/** As JSON it says both, as `failure` does. */
function thrown(code: string, message: string): Error {
  return Object.assign(new Error(), { code, message })
}
const adminErrors: AdminErrors = {
  notLocal: () => thrown('forbidden', 'The inbox answers this machine only.'),
  invalidRequest: ({ expected }) => thrown('invalid_request', `Expected ${expected}.`),
}

export interface HttpOptions {
  readonly store: MessageStore
  readonly clock: MovableClock
  /** Answers other machines of a private network too. */
  readonly open: boolean
}

export function createInboxApp({ store, clock, open }: HttpOptions): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value)
    const facts = factsOfContext(c)
    if (!open && !isLocalRequest(facts)) return failure(c, 403, 'forbidden', 'The inbox answers this machine only.')
    // Whoever reads it signs in as anybody: under a public name everybody could.
    if (!isStandInRequest(facts)) return failure(c, 403, 'forbidden', 'The inbox answers no public name.')
    // It holds one-time codes: another page, even one of this machine, may neither read (no CORS) nor change it.
    const origin = c.req.header('origin')
    if (origin !== undefined && origin !== new URL(c.req.url).origin)
      return failure(c, 403, 'forbidden', 'Other pages may not use the inbox.')
    return next()
  })
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }))

  app.get('/health', c => c.json({ status: 'ok' }))
  if (!open) app.route('/admin', createAdmin(clock, adminErrors))
  app.post('/sms', async c => {
    const body: unknown = await c.req.json().catch(() => undefined)
    const fields = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}))
    const to = textOf(fields.get('to'), 32)
    const text = textOf(fields.get('text'), SMS_LENGTH)
    if (to === undefined || text === undefined || !/^\+\d{6,15}$/.test(normalizeRecipient(to)))
      return failure(c, 400, 'invalid_request', 'An SMS is { "to": "+…", "text": "…", "from"?: "…" }.')
    const from = textOf(fields.get('from'), 32) ?? ''
    const { id } = store.add({ kind: 'sms', to: [to], from, subject: '', text })
    return c.json({ id }, 202)
  })

  app.get('/api/messages', c => c.json({ messages: store.list(filterOf(c)) }))
  app.get('/api/messages/latest', async c => {
    const wait = Math.min(Math.max(Number(c.req.query('wait')) || 0, 0), MAX_WAIT)
    const signal = wait > 0 ? AbortSignal.any([AbortSignal.timeout(wait), c.req.raw.signal]) : undefined
    const message = await store.latest(filterOf(c), c.req.query('after'), signal)
    return message ? c.json(message) : notFound(c)
  })
  app.get('/api/messages/:id', c => {
    const message = store.get(c.req.param('id'))
    return message ? c.json(message) : notFound(c)
  })
  app.delete('/api/messages', c => {
    const chosen = new Set(store.list(filterOf(c)))
    return c.json({ deleted: store.remove(message => chosen.has(message)) })
  })
  app.delete('/api/messages/:id', c => {
    const deleted = store.remove(({ id }) => id === c.req.param('id'))
    return deleted ? c.json({ deleted }) : notFound(c)
  })

  app.get('/', c => c.html(listPage(store.list(filterOf(c)), c.req.query('to'))))
  app.post('/clear', c => {
    store.remove(() => true)
    return c.redirect('/', 303)
  })
  const show = (c: Context, render: (message: Message) => Response | Promise<Response>) => {
    const message = store.get(c.req.param('id') ?? '')
    return message ? render(message) : c.html(missingPage(), 404)
  }
  app.get('/messages/:id', c => show(c, message => c.html(messagePage(message))))
  app.get('/messages/:id/html', c =>
    show(c, ({ html = '' }) => {
      // Opened by itself, too, it may neither run nor load anything.
      c.header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
      return c.html(html)
    }),
  )
  app.post('/messages/:id/delete', c => {
    store.remove(({ id }) => id === c.req.param('id'))
    return c.redirect('/', 303)
  })
  return app
}
