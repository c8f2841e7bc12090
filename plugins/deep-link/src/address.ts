/**
 * Return addresses. Everything behind the plugin's own parameter belongs to the wallet and is removed; everything before it, and
 * the fragment, belongs to the app and stays unchanged. https://docs.phantom.com/phantom-deeplinks/specifying-redirects
 */
const MAX_VALUE_CHARACTERS = 65_536

interface Parts {
  readonly clean: string
  readonly state: string
  readonly answer: URLSearchParams
}

function isAnswer(parameters: URLSearchParams) {
  return parameters.has('errorCode') || (parameters.has('data') && parameters.has('nonce'))
}
/** @param mark the plugin's parameter and the start of its value, e.g. `keybay_return=phantom.` */
function split({ origin, pathname, search, hash }: URL, mark: string): Parts | undefined {
  const start = search.indexOf(mark)
  if (start < 1) return undefined
  const before = origin + pathname + search.slice(0, start - 1)
  const [state = '', ...others] = search.slice(start + mark.length).split('&')
  const inQuery = new URLSearchParams(others.join('&'))
  // Some wallets append to the text of the address, and thus to its fragment.
  const from = hash.search(/[?&](?:data|nonce|errorCode|\w+_encryption_public_key)=/)
  const inHash = new URLSearchParams(from < 0 ? '' : hash.slice(from + 1))
  return isAnswer(inHash) && !isAnswer(inQuery)
    ? { clean: before + hash.slice(0, from), state, answer: inHash }
    : { clean: before + hash, state, answer: inQuery }
}
/** Returns the address the wallet shall return to: the current one with a mark. */
export function redirectLink(href: string, mark: string, state: string): string {
  const url = new URL(href)
  const { origin, pathname, search, hash } = new URL(split(url, mark)?.clean ?? url)
  return `${origin}${pathname}${search}${search ? '&' : '?'}${mark}${state}${hash}`
}
/** Removes the return parameters from the page's address, and keeps the app's history state (S2.8). */
export function cleanAddress(mark: string): void {
  const parts = split(new URL(location.href), mark)
  if (parts) history.replaceState(history.state, '', parts.clean)
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
