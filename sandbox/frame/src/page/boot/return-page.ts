/** Page where a provider's window ends: posts the result to the frames of this origin, then closes. */
import { type GrantAnswer, ICLOUD_STATE } from '../backup/grants.js'

/** Reads the result: OAuth 2.0 (RFC 6749 §4.2.2) returns it in the fragment, CloudKit in the query. */
function getAnswer({ hash, search }: Location): GrantAnswer {
  const fragment = new URLSearchParams(hash.slice(1))
  const query = new URLSearchParams(search)
  const state = fragment.get('state') ?? query.get('state') ?? ICLOUD_STATE
  const token = fragment.get('access_token') ?? query.get('ckWebAuthToken') ?? undefined
  return { type: 'keybay:granted', state, ...(token && { token }) }
}

/** @returns true if this window is the return page */
export function serveReturnPage(self: Window, place: HTMLElement): boolean {
  if (!self.location.pathname.endsWith('/granted')) return false
  const answer = getAnswer(self.location)
  // Remove the token from the URL and the history.
  self.history.replaceState(null, '', self.location.pathname)
  const page: Window | null = self.opener
  const note = self.document.createElement('p')
  note.textContent = page
    ? 'Done. This window can be closed.'
    : 'This window is no longer needed. Close it and try again.'
  place.replaceChildren(note)
  if (!page) return true
  // The target origin makes the browser deliver the message only to windows of this origin.
  for (let index = 0; index < page.length; index += 1) page[index]?.postMessage(answer, self.location.origin)
  self.close()
  return true
}
