/** Measurements of a service, without the library that keeps them: most services and tests run without metrics. */

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
