/** The page's address after a visit: one parameter of ours, which names the record of the flow and nothing of its answer. */
import { MARK } from './mark.js'

const PART = new RegExp(`([?&])${MARK}=[^&#]*(&?)`)

/** The address as the host had it, letter by letter. */
export function homeOf(href: string): string {
  return href.replace(PART, (_, before: string, after: string) => (after ? before : ''))
}

export function markedAddress(home: string, provider: string, recordId: string): string {
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(home) ?? []
  return `${before}${before.includes('?') ? '&' : '?'}${MARK}=${provider}.${recordId}${fragment}`
}
/** Empty where the return page found no record. */
export function recordOf(url: URL): string {
  const value = url.searchParams.get(MARK) ?? ''
  return value.slice(value.indexOf('.') + 1)
}
/** A reload asks nobody again. */
export function cleanAddress(): void {
  history.replaceState(history.state, '', homeOf(location.href))
}
