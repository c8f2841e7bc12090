/** Tests OpenTelemetry in a service: which requests are traced, and what a span and a log line hold. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { defineService, type Service, type ServiceOptions } from '../src/define-service.js'
import { answerRequest } from '../src/http/index.js'
import type { LogLine } from '../src/log.js'
import { wantsTracing } from '../src/tracing/tracing.js'
import { type Collector, startCollector } from './collector.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const lines: LogLine[] = []
const failure = { status: 500, code: 'internal_error' }

/** `GET /` fails for the ID `broken`, and asks itself over the network for the ID `outer`. */
const startDemo = defineService<ServiceOptions, object>({
  name: 'demo',
  async create({ log, addReadiness }) {
    addReadiness(async () => undefined)
    const options = {
      log,
      knownFailure: () => undefined,
      internalError: () => failure,
      serviceUnavailable: () => failure,
    }
    return ({ app, port }) => {
      app.get('/users/:id', c =>
        answerRequest(c, { ...options, route: '/users/{id}' }, async () => {
          const { id } = c.req.param()
          if (id === 'broken') throw new Error('It failed.')
          if (id === 'outer') await fetch(`http://127.0.0.1:${port}/users/inner?code=secret`)
          return { status: 204 }
        }),
      )
      return { facts: {} }
    }
  },
})

let collector: Collector
let traced: Service
let plain: Service
beforeAll(async () => {
  collector = await startCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50')
  const options = { mode: 'sandbox', log: line => void lines.push(line) } satisfies ServiceOptions
  plain = await startDemo(options)
  traced = await startDemo({ ...options, isTraced: true })
})
afterAll(async () => {
  await traced.stop()
  await plain.stop()
  collector.stop()
})

const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

function ask({ internalUrl }: Service, path: string, headers: Record<string, string> = {}) {
  return fetch(`${internalUrl}${path}`, { headers: { traceparent: PARENT, ...headers } })
}

it('a service traces a request, and the requests that it causes, as parts of the caller’s trace', async () => {
  await ask(traced, '/users/outer')
  const route = 'demo GET /users/:id'
  await expect
    .poll(() => collector.spans.map(span => collector.pathOf(span)).sort())
    .toEqual([route, `${route} > demo GET`, `${route} > demo GET > ${route}`])
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
  const texts = collector.spans.flatMap(span => span.texts).join(' ')
  expect(texts).toContain('/users/:id')
  expect(texts).not.toMatch(/outer|inner|secret/)
  expect(lines.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE])
})

it('an answer 5xx is an error of its span, and health checks have no span', async () => {
  await ask(traced, '/ready')
  await ask(traced, '/users/broken')
  await expect.poll(() => collector.spans.filter(({ isError }) => isError)).toHaveLength(1)
  expect(collector.spans.map(({ title }) => title)).not.toContain('demo GET /ready')
})

it('a service without OpenTelemetry’s variables makes no span, and its log lines have no trace', async () => {
  const before = [collector.spans.length, lines.length]
  expect((await ask(plain, '/users/ann')).status).toBe(204)
  await ask(traced, '/users/bob')
  await expect.poll(() => collector.spans.length).toBe(Number(before[0]) + 1)
  expect(lines.slice(before[1]).map(({ traceId }) => traceId)).toEqual([undefined, TRACE])
})

it('hostile trace headers change no answer, and reach neither a span nor the log', async () => {
  const [spansBefore, linesBefore] = [collector.spans.length, lines.length]
  const hostile: readonly Record<string, string>[] = [
    { traceparent: `${PARENT}, ${PARENT}` },
    { traceparent: `${PARENT}<hostile>` },
    { traceparent: 'hostile'.repeat(1_000) },
    { traceparent: `ff${PARENT.slice(2)}` },
    { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` },
    { tracestate: `k=${'hostile'.repeat(1_000)}` },
    { tracestate: 'k=<hostile>\u00e9\t, =, k=v' },
    { tracestate: Array.from({ length: 60 }, (_, index) => `k${index}=hostile`).join(',') },
    { baggage: 'hostile=1' },
  ]
  for (const headers of hostile) expect((await ask(traced, '/users/outer', headers)).status).toBe(204)
  // A request, the one that it causes, and the one that this is elsewhere.
  await expect.poll(() => collector.spans.length).toBe(spansBefore + 3 * hostile.length)
  const ids = lines.slice(linesBefore).map(({ traceId }) => String(traceId))
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/)
  expect(ids.filter(id => id === TRACE)).toHaveLength(2 * 4)
  expect(JSON.stringify([collector.spans, lines])).not.toContain('hostile')
})

it.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, false],
  [{ OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'otlp' }, false],
])('with %j a program traces: %s', (env, expected) => {
  expect(wantsTracing(env)).toBe(expected)
})

it('a service stops although the collector of its spans is away', async () => {
  collector.stop()
  const another = await startDemo({ mode: 'sandbox', isTraced: true })
  expect((await ask(another, '/users/ann')).status).toBe(204)
  await another.stop()
})
