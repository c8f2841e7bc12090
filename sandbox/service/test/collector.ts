/** Receives spans as an OpenTelemetry collector does, by OTLP with JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { array, fallback, number, object, optional, parse, string } from 'valibot'

const spanSchema = object({
  traceId: string(),
  spanId: string(),
  parentSpanId: optional(string()),
  name: string(),
  status: object({ code: optional(number()) }),
  attributes: array(object({ key: string(), value: object({ stringValue: fallback(optional(string()), undefined) }) })),
})
const requestSchema = object({
  resourceSpans: array(
    object({
      resource: object({ attributes: spanSchema.entries.attributes }),
      scopeSpans: array(object({ spans: array(spanSchema) })),
    }),
  ),
})

export interface Span {
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly traceId: string
  /** Name of the service, then of the span. */
  readonly title: string
  /** Attributes that are texts. */
  readonly texts: readonly string[]
  readonly isError: boolean
}

/** Value of an error in `status.code` of OTLP. */
const ERROR = 2

export interface Collector {
  /** Value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  /** Spans in the order in which they came. */
  readonly spans: readonly Span[]
  /** Returns the titles from the trace's first span to this one. */
  pathOf(span: Span): string
  stop(): void
}

function readSpans(body: string): Span[] {
  return parse(requestSchema, JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ name, attributes, status, ...span }) => ({
        ...span,
        isError: status.code === ERROR,
        title: `${service} ${name}`,
        texts: attributes.flatMap(({ value }) => value.stringValue ?? []),
      }))
  })
}

export async function startCollector(): Promise<Collector> {
  const spans: Span[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      spans.push(...readSpans(Buffer.concat(parts).toString()))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const pathOf = (span: Span): string => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
    return parent ? `${pathOf(parent)} > ${span.title}` : span.title
  }
  return { url: `http://127.0.0.1:${port}`, spans, pathOf, stop: () => server.close().closeAllConnections() }
}
