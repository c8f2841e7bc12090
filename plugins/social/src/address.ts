/** The URL of a page that the user returns to: one parameter names the record of the flow, and holds nothing of the response. */
import { MARK } from './mark.js'

const MARK_PARAMETER = new RegExp(`([?&])${MARK}=[^&#]*(&?)`)

/** Returns the URL without the parameter, otherwise character by character as the host had it. */
export function withoutMark(href: string): string {
  return href.replace(MARK_PARAMETER, (_, before: string, after: string) => (after ? before : ''))
}

export function withMark(home: string, provider: string, recordId: string): string {
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(home) ?? []
  return `${before}${before.includes('?') ? '&' : '?'}${MARK}=${provider}.${recordId}${fragment}`
}
/** Returns the record's id, or '' if the return page did not find a record. */
export function readRecordId(url: URL): string {
  const value = url.searchParams.get(MARK) ?? ''
  return value.slice(value.indexOf('.') + 1)
}
/** Removes the parameter, so that a reload does not resume the flow again. */
export function cleanAddress(): void {
  history.replaceState(history.state, '', withoutMark(location.href))
}
