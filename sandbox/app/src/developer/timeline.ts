/** Records every kernel event in order, redacted before it is stored, so that no secret can be shown or copied. */
import { createStore, redact } from '@keybay/kernel'

export interface TimelineEntry {
  readonly id: number
  /** ms since epoch */
  readonly at: number
  readonly event: string
  /** JSON-compatible value. */
  readonly payload: unknown
}
/** Maximum number of entries; the oldest are dropped. */
const KEEP = 500

interface Source {
  onAny(listener: (event: string, payload: unknown) => void): () => void
}
export type Timeline = ReturnType<typeof createTimeline>

/** Subscribes immediately, even while the panel is closed. */
export function createTimeline(source: Source, now: () => number = Date.now) {
  const store = createStore<readonly TimelineEntry[]>([], error => console.error(error))
  let count = 0
  source.onAny((event, payload) => {
    const entry = { id: ++count, at: now(), event, payload: redact(payload) }
    store.set([...store.get(), entry].slice(-KEEP))
  })
  return { get: store.get, subscribe: store.subscribe, clear: () => store.set([]) }
}

/** Returns the entries whose name or payload contains all the words. */
export function filterTimeline(entries: readonly TimelineEntry[], text: string): readonly TimelineEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return entries
  return entries.filter(({ event, payload }) => {
    const haystack = `${event} ${JSON.stringify(payload)}`.toLowerCase()
    return words.every(word => haystack.includes(word))
  })
}

/** Returns the text for “Copy as JSON”. */
export function timelineToJson(entries: readonly TimelineEntry[]): string {
  return JSON.stringify(
    entries.map(({ at, event, payload }) => ({ at: new Date(at).toISOString(), event, payload })),
    undefined,
    2,
  )
}

/** Returns a short summary that distinguishes events of the same kind. */
export function summarize(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null) return ''
  const fields: Readonly<Record<string, unknown>> = { ...payload }
  const { operation, step, number, of } = fields
  if (typeof operation === 'string') {
    const round = typeof step === 'string' ? ` · ${step} (${String(number)} of ${String(of)})` : ''
    return `${operation}${round}`
  }
  for (const name of ['step', 'state', 'connectorId', 'message', 'connection', 'session']) {
    const value = fields[name]
    if (typeof value === 'string') return value.slice(0, 80)
    if (typeof value === 'object' && value !== null && 'connectorId' in value) return String(value.connectorId)
    if (typeof value === 'object' && value !== null && 'status' in value) return String(value.status)
  }
  return ''
}
