/** Decides by OpenTelemetry's standard variables whether a program traces its requests. */
import type { MiddlewareHandler } from 'hono'

export interface RunningTracing {
  /** Makes a span of each request. Add it before the routes that are traced. */
  readonly traceRequests: MiddlewareHandler
  /** Exports the spans that have ended. */
  stop(): Promise<void>
}

/**
 * Reads whether to trace: where an OTLP endpoint or the exporter `otlp` is set, unless the SDK is disabled. The other
 * standard variables are read by OpenTelemetry itself.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function wantsTracing(env: NodeJS.ProcessEnv): boolean {
  const exporter = env.OTEL_TRACES_EXPORTER
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporter === 'none') return false
  return exporter === 'otlp' || Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}
