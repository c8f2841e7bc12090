/** Makes a span of each statement of a traced request. */
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('@keybay/sandbox-service/database')

/**
 * Runs a statement.
 * @param text SQL; its values are parameters, which no span holds
 */
export function traceStatement<T>(text: string, run: () => PromiseLike<T>): PromiseLike<T> {
  return trace.getActiveSpan()?.isRecording() ? runInSpan(text, run) : run()
}

function runInSpan<T>(text: string, run: () => PromiseLike<T>): Promise<T> {
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY'
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text }
  return tracer.startActiveSpan(operation, { kind: SpanKind.CLIENT, attributes }, async span => {
    try {
      return await run()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Returns the ID of the trace that the running request belongs to, for its log lines. */
export function getTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId
}
