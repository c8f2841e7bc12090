/** Reads Prometheus's text format as strictly as its own reader: every value has a help text, a type and valid labels. */
import type { Service } from '../src/define-service.js'

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/
const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
const SAMPLE = new RegExp(String.raw`^([a-zA-Z_:][\w:]*)(\{${LABEL}(?:,${LABEL})*\})? (\S+)$`)
const SUFFIX = /_(bucket|sum|count)$/

function toNumber(text: string): number {
  const value = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text)
  if (Number.isNaN(value) && text !== 'Nan') throw new Error(`not a number: ${text}`)
  return value
}

/** Returns the values by name and labels. @throws Error that names an invalid line */
export function readExposition(text: string): ReadonlyMap<string, number> {
  if (!text.endsWith('\n')) throw new Error('The text does not end with a line break.')
  const known = { HELP: new Set<string>(), TYPE: new Set<string>() }
  const values = new Map<string, number>()
  for (const line of text.split('\n').filter(line => line !== '')) {
    const [, kind, about = ''] = COMMENT.exec(line) ?? []
    if (kind === 'HELP' || kind === 'TYPE') {
      if (known[kind].has(about)) throw new Error(`second ${kind}: ${line}`)
      known[kind].add(about)
      continue
    }
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
    const isDescribed = [name, name.replace(SUFFIX, '')].some(all => known.HELP.has(all) && known.TYPE.has(all))
    if (!isDescribed || values.has(name + labels)) throw new Error(`invalid or repeated: ${line}`)
    values.set(name + labels, toNumber(value))
  }
  return values
}

/** Reads `/metrics` of a service. */
export async function readMetrics({ metricsUrl }: Pick<Service, 'metricsUrl'>): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(metricsUrl ?? '')
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/plain; version=0.0.4'))
    throw new Error(`/metrics answered ${response.status}, ${response.headers.get('content-type')}.`)
  return readExposition(await response.text())
}
