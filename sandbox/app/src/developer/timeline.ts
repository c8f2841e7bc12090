/** Every event of the kernel in the order it happened, redacted before it is kept: nothing secret can be shown or copied. */
import { createStore, redact } from '@keybay/kernel'

export interface TimelineEntry {
  readonly id: number
  /** ms since epoch */
  readonly at: number
  readonly event: string
  /** What JSON can hold. */
  readonly payload: unknown
}
/** The oldest make room. */
const KEEP = 500

interface Source {
  onAny(listener: (event: string, payload: unknown) => void): () => void
}
export interface Timeline {
  get(): readonly TimelineEntry[]
  subscribe(listener: () => void): () => void
  clear(): void
}

/** Listens from now on, whether somebody looks or not. */
export function createTimeline(source: Source, now: () => number = Date.now): Timeline {
  const store = createStore<readonly TimelineEntry[]>([], error => console.error(error))
  let count = 0
  source.onAny((event, payload) => {
    const entry = { id: ++count, at: now(), event, payload: redact(payload) }
    store.set([...store.get(), entry].slice(-KEEP))
  })
  return { get: store.get, subscribe: store.subscribe, clear: () => store.set([]) }
}

/** Entries of which the name or the payload has all the words. */
export function filterTimeline(entries: readonly TimelineEntry[], text: string): readonly TimelineEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return entries
  return entries.filter(({ event, payload }) => {
    const haystack = `${event} ${JSON.stringify(payload)}`.toLowerCase()
    return words.every(word => haystack.includes(word))
  })
}

/** What “Copy as JSON” gives. */
export function timelineToJson(entries: readonly TimelineEntry[]): string {
  return JSON.stringify(
    entries.map(({ at, event, payload }) => ({ at: new Date(at).toISOString(), event, payload })),
    undefined,
    2,
  )
}

/** The few words by which one tells one event of a kind from the next. */
export function gistOf(payload: unknown): string {
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
