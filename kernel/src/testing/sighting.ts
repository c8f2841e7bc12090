/** Something that was written outside the connector. */
export interface Sighting {
  /** The place, as a noun phrase: `the console (info)`. */
  readonly where: string
  readonly text: string
}
export type Note = (sighting: Sighting) => void

/** Returns undefined for a value that JSON cannot hold. */
export function asText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
