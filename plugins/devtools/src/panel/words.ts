/** Times and durations as text, the summary of an event, and the filter. */
import { stepOf, text } from '../actions/fields.js'

export function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})
/** @example formatClock(Date.now()) // '14:03:21.075' */
export function formatClock(at: number): string {
  return clock.format(at)
}

const SUMMARY_PATHS = [
  ['step'],
  ['state'],
  ['connectorId'],
  ['method'],
  ['path'],
  ['message'],
  ['connection', 'connectorId'],
  ['session', 'status'],
  ['prompt', 'type'],
]

/** Returns a short summary that distinguishes events of the same kind. */
export function summarize(payload: unknown): string {
  const operation = text(payload, 'operation')
  if (operation !== undefined) return [operation, stepOf(payload) ?? text(payload, 'state')].filter(Boolean).join(' · ')
  const summary = SUMMARY_PATHS.map(path => text(payload, ...path)).find(value => value !== undefined)
  return summary?.slice(0, 80) ?? ''
}

/** Returns the items whose JSON contains all the words. */
export function filterBy<T>(items: readonly T[], words: string): readonly T[] {
  const needles = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (!needles.length) return items
  return items.filter(item => {
    const haystack = JSON.stringify(item).toLowerCase()
    return needles.every(needle => haystack.includes(needle))
  })
}
