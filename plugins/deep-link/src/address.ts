/**
 * Return addresses. The wallet gets the origin, the path and the plugin's own parameter only, because the host's query
 * and fragment may contain secrets. Everything behind that parameter belongs to the wallet and is removed.
 * https://docs.phantom.com/phantom-deeplinks/specifying-redirects
 */
const MAX_VALUE_CHARACTERS = 65_536

interface Parts {
  /** The host's part of the query, and its fragment. */
  readonly host: string
  readonly state: string
  readonly answer: URLSearchParams
}

/** @param mark the plugin's parameter and the start of its value, e.g. `keybay_return=phantom.` */
function split({ search, hash }: URL, mark: string): Parts | undefined {
  const start = search.indexOf(mark)
  if (start < 1) return undefined
  const [state = '', ...others] = search.slice(start + mark.length).split('&')
  return { host: search.slice(0, start - 1) + hash, state, answer: new URLSearchParams(others.join('&')) }
}

/** Returns the address that the wallet returns to. */
export function redirectLink(mark: string, state: string): string {
  return `${location.origin}${location.pathname}?${mark}${state}`
}

/** Returns the page's query and fragment, without return parameters. */
export function getHostParameters(mark: string): string {
  return split(new URL(location.href), mark)?.host ?? location.search + location.hash
}

/** Replaces query and fragment, and keeps the app's history state. */
function replaceParameters(parameters: string): void {
  history.replaceState(history.state, '', location.origin + location.pathname + parameters)
}

/** Removes the return parameters from the page's address (S2.8). */
export function cleanAddress(mark: string): void {
  replaceParameters(getHostParameters(mark))
}

/**
 * Gives the page the query and fragment that it had before it left for the wallet, unless it has others, or the app has
 * navigated.
 * @param url of the return
 */
export function restoreParameters(url: URL, parameters: string): void {
  const { href: oldURL, pathname, search, hash } = location
  if (!parameters || pathname !== url.pathname || search || hash) return
  replaceParameters(parameters)
  // Routers have read the address without these parameters.
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  if (location.hash) dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: location.href }))
}

export interface Answer {
  readonly state: string
  readonly data: string
  readonly nonce: string
  /** The wallet's key of the exchange; only for a connect. */
  readonly publicKey: string
  readonly errorCode: string | undefined
  readonly errorMessage: string
}

export function readAnswer(url: URL, mark: string, key: string): Answer {
  const { state = '', answer } = split(url, mark) ?? {}
  const get = (name: string) => {
    const value = answer?.get(name) ?? ''
    return value.length > MAX_VALUE_CHARACTERS ? '' : value
  }
  return {
    state,
    data: get('data'),
    nonce: get('nonce'),
    publicKey: get(`${key}_encryption_public_key`),
    errorCode: answer?.has('errorCode') ? get('errorCode') : undefined,
    errorMessage: get('errorMessage'),
  }
}
