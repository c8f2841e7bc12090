/** Creates the format when it is first used: the browser loads its data then, which takes a phone 50 ms. */
function once<F>(create: () => F): () => F {
  let format: F | undefined
  return () => (format ??= create())
}

/** `1234567` → `1,234,567`. Without `Intl`, whose data takes a phone half a second to load. @param value an integer */
export function formatCount(value: number | bigint): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1234.5` → `1,234.5`: groups the whole part and leaves the decimals as they are. */
export function groupDecimal(decimal: string): string {
  const [whole = '0', fraction] = decimal.split('.')
  const left = formatCount(BigInt(whole))
  return fraction ? `${left}.${fraction}` : left
}

const dateTime = once(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }))
/** @param time ms since epoch */
export function formatDate(time: number): string {
  return dateTime().format(time)
}

const moment = once(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }))
/** Formats a time without its seconds. @param time ms since epoch */
export function formatMoment(time: number): string {
  return moment().format(time)
}

const ago = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }))
const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]
/** `3 min. ago`. @param time ms since epoch */
export function formatAgo(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1000)
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second' as const, 1]
  return ago().format(Math.round(seconds / size), unit)
}
