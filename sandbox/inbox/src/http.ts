/** Serves the SMS endpoint, JSON for tests and tools, and the page for users. */
import { isLocalRequest, isStandInRequest } from '@keybay/sandbox-service'
import { factsOfContext } from '@keybay/sandbox-service/admin'
import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { listPage, messagePage, missingPage, SECURITY_HEADERS } from './page.js'
import { type Filter, type Message, type MessageStore, normalizeRecipient } from './store.js'

const MAX_BODY_BYTES = 16 * 1024
/** Longest wait for a message, in ms. */
const MAX_WAIT_MS = 30_000
const MAX_SMS_LENGTH = 1_600

function readText(value: unknown, maxLength: number): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength ? value : undefined
}

function readFilter(c: Context): Filter {
  const kind = c.req.query('kind')
  const { to, subject } = c.req.query()
  return { to, subject, kind: kind === 'mail' || kind === 'sms' ? kind : undefined }
}

function failure(c: Context, status: 400 | 403 | 404, code: string, message: string): Response {
  return c.json({ code, message }, status)
}

function notFound(c: Context): Response {
  return failure(c, 404, 'not_found', 'No such message.')
}

/** Makes an error that JSON.stringify writes as {@link failure} does. */
export function jsonError(code: string, message: string): Error {
  return Object.assign(new Error(), { code, message })
}

export interface HttpOptions {
  readonly store: MessageStore
  /** True if the inbox also answers other machines of a private network. */
  readonly isOpen: boolean
}

/** Adds the inbox's routes to the service's app. */
export function mountInbox(app: Hono, { store, isOpen }: HttpOptions): void {
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value)
    const facts = factsOfContext(c)
    if (!isOpen && !isLocalRequest(facts)) return failure(c, 403, 'forbidden', 'The inbox answers this machine only.')
    // Reading the inbox is enough to sign in as anyone, so the inbox has no public name.
    if (!isStandInRequest(facts)) return failure(c, 403, 'forbidden', 'The inbox answers no public name.')
    // The inbox holds one-time codes: another page, even one of this machine, may neither read (no CORS) nor change it.
    const origin = c.req.header('origin')
    if (origin !== undefined && origin !== new URL(c.req.url).origin)
      return failure(c, 403, 'forbidden', 'Other pages may not use the inbox.')
    return next()
  })
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }))

  app.get('/health', c => c.json({ status: 'ok' }))
  app.post('/sms', async c => {
    const body: unknown = await c.req.json().catch(() => undefined)
    const fields = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}))
    const to = readText(fields.get('to'), 32)
    const text = readText(fields.get('text'), MAX_SMS_LENGTH)
    if (to === undefined || text === undefined || !/^\+\d{6,15}$/.test(normalizeRecipient(to)))
      return failure(c, 400, 'invalid_request', 'An SMS is { "to": "+…", "text": "…", "from"?: "…" }.')
    const from = readText(fields.get('from'), 32) ?? ''
    const { id } = store.add({ kind: 'sms', to: [to], from, subject: '', text })
    return c.json({ id }, 202)
  })

  app.get('/api/messages', c => c.json({ messages: store.list(readFilter(c)) }))
  app.get('/api/messages/latest', async c => {
    const wait = Math.min(Math.max(Number(c.req.query('wait')) || 0, 0), MAX_WAIT_MS)
    const signal = wait > 0 ? AbortSignal.any([AbortSignal.timeout(wait), c.req.raw.signal]) : undefined
    const message = await store.latest(readFilter(c), c.req.query('after'), signal)
    return message ? c.json(message) : notFound(c)
  })
  app.get('/api/messages/:id', c => {
    const message = store.get(c.req.param('id'))
    return message ? c.json(message) : notFound(c)
  })
  app.delete('/api/messages', c => {
    const chosen = new Set(store.list(readFilter(c)))
    return c.json({ deleted: store.remove(message => chosen.has(message)) })
  })
  app.delete('/api/messages/:id', c => {
    const deleted = store.remove(({ id }) => id === c.req.param('id'))
    return deleted ? c.json({ deleted }) : notFound(c)
  })

  app.get('/', c => c.html(listPage(store.list(readFilter(c)), c.req.query('to'))))
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
      // A mail's HTML, even when opened by itself, may neither run nor load anything.
      c.header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:")
      return c.html(html)
    }),
  )
  app.post('/messages/:id/delete', c => {
    store.remove(({ id }) => id === c.req.param('id'))
    return c.redirect('/', 303)
  })
}
