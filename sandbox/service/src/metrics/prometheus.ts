/** Keeps a service's measurements with prom-client, and serves them on a port of their own. */
import { createServer, type RequestListener } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { closeServer, getServerOptions, listen } from '../listen.js'
import type { Metrics, MetricsPlace } from './metrics.js'

/** In seconds: a renewal takes about 1 ms, a wallet 50 ms, and a request that waits for others up to 20 s. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
const STOP_MS = 500
/** Gauges with names of counters, which Prometheus's linter refuses; the same names without `_total` have them by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export interface RunningMetrics {
  readonly metrics: Metrics
  /** Measures requests. Add it before all routes. */
  readonly measureRequests: MiddlewareHandler
  /** URL of `/metrics`. */
  readonly url: string
  stop(): Promise<void>
}

/** @throws PortTakenError that names the variable */
export async function startMetrics({ port, host }: MetricsPlace, service: string): Promise<RunningMetrics> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const server = createServer(getServerOptions(), serve(registry))
  const variable = `${service.toUpperCase()}_METRICS_PORT`
  const taken = await listen(server, { service, variable, port, host })
  return {
    metrics: createMetrics(registry),
    measureRequests: createRequestMeter(registry),
    url: `http://${host}:${taken}/metrics`,
    stop: () => closeServer(server, STOP_MS),
  }
}

function serve(registry: Registry): RequestListener {
  return (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      text => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  }
}

function createMetrics(registry: Registry): Metrics {
  const registers = [registry]
  return {
    timer({ labels, ...measure }) {
      const histogram = new Histogram({ ...measure, labelNames: [...labels], buckets: BUCKETS, registers })
      return (started, values) => histogram.observe({ ...values }, (performance.now() - started) / 1000)
    },
    gauge(measure, read) {
      const gauge: Gauge = new Gauge({ ...measure, registers, collect: () => gauge.set(read()) })
    },
    counter(measure, read) {
      const counter: Counter = new Counter({
        ...measure,
        registers,
        collect() {
          counter.reset()
          counter.inc(read())
        },
      })
    },
  }
}

/**
 * Measures each request by its method and the pattern of its route, never by its path, which can hold IDs. Paths without a
 * route have the pattern of the handler that refuses them.
 */
function createRequestMeter(registry: Registry): MiddlewareHandler {
  const registers = [registry]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests by method, route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to its answer, by method and route pattern.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  return async (c, next) => {
    const started = performance.now()
    await next()
    const { method } = c.req
    const route = routePath(c)
    requests.inc({ method, route, status: c.res.status })
    durations.observe({ method, route }, (performance.now() - started) / 1000)
  }
}
