/** Tests `/metrics`: what it measures, who can read it, and what its labels hold. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defineService, type Service, type ServiceOptions } from '../src/define-service.js'
import { Variables } from '../src/env.js'
import { PortTakenError } from '../src/index.js'
import { readExposition, readMetrics } from './exposition.js'

const pool = { most: 10, busy: 3, waiting: 2, timedOut: 7 }
let isSweepBroken = false

const startDemo = defineService<ServiceOptions, object>({
  name: 'demo',
  path: '/api/v0',
  async create({ openDatabase, metrics }) {
    await openDatabase(async () => ({
      ping: async () => undefined,
      close: async () => undefined,
      getPoolUse: () => pool,
    }))
    const record = metrics.timer({ name: 'demo_work_seconds', help: 'Duration of work.', labels: ['result'] })
    return ({ app }) => {
      app.get('/api/v0/users/:id', c => c.json({ id: c.req.param('id') }))
      app.post('/api/v0/users/:id', () => {
        throw new Error('It failed.')
      })
      app.get('/api/v0/work', c => {
        record(performance.now(), { result: 'ok' })
        return c.body(null, 204)
      })
      app.all('/api/v0/*', c => c.json({}, 404))
      app.onError((_, c) => c.json({}, 500))
      return {
        facts: {},
        async sweep() {
          if (isSweepBroken) throw new Error('It failed.')
        },
      }
    }
  },
})

let service: Service
beforeAll(async () => {
  service = await startDemo({ mode: 'sandbox', metrics: { port: 0, host: '127.0.0.1' } })
})
afterAll(() => service.stop())

function ask(path: string, method = 'GET'): Promise<Response> {
  return fetch(`${service.internalUrl}${path}`, { method })
}

it('metrics count requests by method, route pattern and status, and no label has a part of the path that varies', async () => {
  for (const id of ['ann', 'bob']) expect((await ask(`/users/${id}`)).status).toBe(200)
  expect((await ask('/users/ann', 'POST')).status).toBe(500)
  expect((await ask('/secret-path')).status).toBe(404)
  expect((await fetch(new URL('/other-secret', service.internalUrl))).status).toBe(404)
  const values = await readMetrics(service)
  const count = (method: string, route: string, status: number) =>
    values.get(`http_requests_total{method="${method}",route="${route}",status="${status}"}`)
  expect(count('GET', '/api/v0/users/:id', 200)).toBe(2)
  expect(count('POST', '/api/v0/users/:id', 500)).toBe(1)
  expect(count('GET', '/api/v0/*', 404)).toBe(1)
  expect(count('GET', '/*', 404)).toBe(1)
  expect(values.get('http_request_duration_seconds_count{method="GET",route="/api/v0/users/:id"}')).toBe(2)
  expect([...values.keys()].join('\n')).not.toMatch(/ann|bob|secret/)
})

it('metrics are complete Prometheus text, with the process, the database pool and what the service measures', async () => {
  await ask('/work')
  const values = await readMetrics(service)
  expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(values.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  expect(values.get('keybay_database_connections_max')).toBe(10)
  expect(values.get('keybay_database_connections_busy')).toBe(3)
  expect(values.get('keybay_database_waiting')).toBe(2)
  expect(values.get('keybay_database_pool_timeouts_total')).toBe(7)
  expect(values.get('demo_work_seconds_count{result="ok"}')).toBe(1)
  // A total that is read twice must not double.
  expect((await readMetrics(service)).get('keybay_database_pool_timeouts_total')).toBe(7)
})

it('metrics show the duration, the failures and the last success of sweeps', async () => {
  expect((await readMetrics(service)).get('keybay_sweep_last_success_timestamp_seconds')).toBe(0)
  const before = Date.now() / 1000
  await service.sweep()
  isSweepBroken = true
  await expect(service.sweep()).rejects.toThrow('It failed.')
  const values = await readMetrics(service)
  expect(values.get('keybay_sweep_duration_seconds_count{result="ok"}')).toBe(1)
  expect(values.get('keybay_sweep_duration_seconds_count{result="failed"}')).toBe(1)
  expect(values.get('keybay_sweep_last_success_timestamp_seconds')).toBeGreaterThanOrEqual(before)
})

it('metrics are on a port of their own, which serves nothing else, and not on the port of the service', async () => {
  const { internalUrl, metricsUrl = '' } = service
  expect((await fetch(new URL('/metrics', internalUrl))).status).toBe(404)
  expect((await ask('/metrics')).status).toBe(404)
  for (const path of ['/', '/admin/clock', '/health', '/api/v0/work', '/metrics/'])
    expect((await fetch(new URL(path, metricsUrl))).status, path).toBe(404)
  expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404)
})

it('a service without a metrics port measures nothing, and a taken port is an error that names the variable', async () => {
  const plain = await startDemo({ mode: 'sandbox' })
  expect(plain.metricsUrl).toBeUndefined()
  await plain.stop()
  const port = Number(new URL(service.metricsUrl ?? '').port)
  const second = startDemo({ mode: 'sandbox', metrics: { port, host: '127.0.0.1' } })
  await expect(second).rejects.toThrow(PortTakenError)
  await expect(second).rejects.toThrow(/^demo cannot start: port \d+ is taken .* Set DEMO_METRICS_PORT/)
})

it('the environment sets the metrics port of each service, and listens on this machine unless it says otherwise', () => {
  const read = (env: NodeJS.ProcessEnv, service = 'demo') => new Variables(env, service).metrics()
  expect(read({})).toBeUndefined()
  expect(read({ DEMO_METRICS_PORT: '9400' })).toEqual({ port: 9400, host: '127.0.0.1' })
  expect(read({ DEMO_METRICS_PORT: '9400' }, 'other')).toBeUndefined()
  const all = { DEMO_METRICS_PORT: '9400', METRICS_HOST: '0.0.0.0' }
  expect(read(all)).toEqual({ port: 9400, host: '0.0.0.0' })
  expect(() => read({ DEMO_METRICS_PORT: 'x' })).toThrow(/demo: DEMO_METRICS_PORT must be a whole/)
})

it('the reader of the exposition format refuses what Prometheus refuses', () => {
  const help = '# HELP a A.\n# TYPE a counter\n'
  expect([...readExposition(`${help}a{b="c"} 1\n`)]).toEqual([['a{b="c"}', 1]])
  for (const wrong of ['a 1\n', `${help}a{b=c} 1\n`, `${help}a 1`, `${help}a one\n`, `${help}a 1\na 1\n`])
    expect(() => readExposition(wrong), wrong).toThrow()
})
