/** Page where a provider's window ends: posts the result to the frames of this origin, then closes. */
import type { GrantAnswer } from '../backup/grants.js'

/** State of a request whose provider returns none, in the storage of this window. */
const KEPT = 'keybay-waas:grant'
/** Apple's sign-in pages; `localhost` in the sandbox. No other page, because links could abuse an open redirect. */
const KEEPING = /^https?:\/\/([\w-]+\.)*(apple\.com|icloud\.com|localhost)(:\d+)?\//

/** Keeps the state of the request and goes to the provider. @returns false if the window comes from the provider */
function keepState({ location, sessionStorage }: Window): boolean {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const [state, to] = [fragment.get('keep'), fragment.get('to')]
  if (state === null || to === null || !KEEPING.test(to)) return false
  sessionStorage.setItem(KEPT, state)
  location.replace(to)
  return true
}

/** Reads the result: OAuth 2.0 (RFC 6749 §4.2.2) returns it in the fragment, CloudKit in the query without a state. */
function takeAnswer({ location, sessionStorage }: Window): GrantAnswer {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const state = fragment.get('state') ?? sessionStorage.getItem(KEPT) ?? ''
  sessionStorage.removeItem(KEPT)
  const token = fragment.get('access_token') ?? new URLSearchParams(location.search).get('ckWebAuthToken')
  return { type: 'keybay:granted', state, ...(token && { token }) }
}

/** @returns true if this window is the return page */
export function serveReturnPage(self: Window, place: HTMLElement): boolean {
  if (!self.location.pathname.endsWith('/granted')) return false
  if (keepState(self)) return true
  const answer = takeAnswer(self)
  // Remove the token from the URL and the history.
  self.history.replaceState(null, '', self.location.pathname)
  const page: Window | null = self.opener
  const note = self.document.createElement('p')
  note.textContent = page ? 'Done. Close this window.' : 'Close this window and try again.'
  place.replaceChildren(note)
  if (!page) return true
  // The target origin makes the browser deliver the message only to windows of this origin.
  for (let index = 0; index < page.length; index += 1) page[index]?.postMessage(answer, self.location.origin)
  self.close()
  return true
}
