/** Measurements of a service, without the library that keeps them: most services and tests run without metrics. */
import { integer } from '../env.js'

/** Where `/metrics` listens: a port of its own, to which no public proxy leads. */
export interface MetricsPlace {
  readonly port: number
  readonly host: string
}

export interface Measure<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labels: readonly Label[]
}

/** A label has a small, fixed set of values: never an ID, address, token or email address. */
export type Labels<Label extends string> = Readonly<Record<Label, string>>

export interface Metrics {
  /**
   * Returns a function that records a duration, and with it a count.
   * The function takes the start time from `performance.now()`.
   */
  timer<Label extends string>(measure: Measure<Label>): (started: number, labels: Labels<Label>) => void
  /** Adds a value that `/metrics` reads when it is requested. */
  gauge(measure: Omit<Measure<never>, 'labels'>, read: () => number): void
  /** Adds a total that only grows, and that `/metrics` reads when it is requested. */
  counter(measure: Omit<Measure<never>, 'labels'>, read: () => number): void
}

/** Keeps nothing. */
export const NO_METRICS: Metrics = { timer: () => () => undefined, gauge: () => undefined, counter: () => undefined }

/**
 * Reads where `/metrics` listens; undefined when `<NAME>_METRICS_PORT` is not set.
 * @throws Error that names the service and the variable
 */
export function readMetricsPlace(env: NodeJS.ProcessEnv, service: string): MetricsPlace | undefined {
  const variable = `${service.toUpperCase()}_METRICS_PORT`
  if (!env[variable]) return undefined
  return { port: integer(env, service, variable, 0, [0, 65_535]), host: env.METRICS_HOST || '127.0.0.1' }
}
