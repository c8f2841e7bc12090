/** Traces requests, the requests that they cause, and their statements with OpenTelemetry, and exports them by OTLP. */
import { setTimeout } from 'node:timers/promises'
import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, type TextMapGetter, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { RunningTracing } from './tracing.js'

/** A stop must end within the time that a supervisor gives the service. */
const FLUSH_TIMEOUT_MS = 2_000

/** OpenTelemetry's variables and its provider are one per process. */
let provider: NodeTracerProvider | undefined

/** @param service name of the spans' service, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES gives another */
export function startTracing(service: string): RunningTracing {
  provider ??= startProvider(service)
  const started = provider
  return { traceRequests, stop: () => flush(started) }
}

/** Exports what has ended, unless the collector is away: its spans are lost, and the service still stops. */
async function flush(provider: NodeTracerProvider): Promise<void> {
  const flushed = provider.forceFlush().catch(() => undefined)
  await Promise.race([flushed, setTimeout(FLUSH_TIMEOUT_MS, undefined, { ref: false })])
}

function startProvider(service: string): NodeTracerProvider {
  const named = resourceFromAttributes({ 'service.name': service })
  const resource = named.merge(detectResources({ detectors: [envDetector] }))
  const started = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  // Without baggage: a page could put any data into it, which every service would send on.
  started.register({ propagator: new W3CTraceContextPropagator() })
  registerInstrumentations({
    instrumentations: [
      new UndiciInstrumentation({
        // Only requests that a request causes. No path or query: they can hold IDs and codes.
        requireParentforSpans: true,
        startSpanHook: ({ origin }) => ({ 'url.full': origin, 'url.path': '', 'url.query': '' }),
      }),
    ],
  })
  return started
}

const HEADERS: TextMapGetter<Context> = { get: (c, name) => c.req.header(name), keys: c => Object.keys(c.req.header()) }

/** Names the span by the pattern of the route, never by the path, which can hold IDs. */
const traceRequests: RunningTracing['traceRequests'] = async (c, next) => {
  const { method } = c.req
  const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }
  const caller = propagation.extract(ROOT_CONTEXT, c, HEADERS)
  await trace.getTracer('@keybay/sandbox-service').startActiveSpan(method, options, caller, async span => {
    try {
      await next()
      const route = routePath(c)
      span.updateName(`${method} ${route}`)
      span.setAttributes({ 'http.route': route, 'http.response.status_code': c.res.status })
      if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    } finally {
      span.end()
    }
  })
}
