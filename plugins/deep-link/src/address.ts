/**
 * The page's address on the way out and back. What comes behind our own parameter is the wallet's, and goes; all before
 * it, and the fragment, is the host's, and stays as it was, letter by letter.
 * https://docs.phantom.com/phantom-deeplinks/specifying-redirects
 */
/** What a wallet may put into a return address; longer values are no answers. */
const MOST_CHARACTERS = 65_536

interface Parts {
  /** The address as the host had it. */
  readonly clean: string
  readonly state: string
  readonly answer: URLSearchParams
}

function isAnswer(parameters: URLSearchParams) {
  return parameters.has('errorCode') || (parameters.has('data') && parameters.has('nonce'))
}

/** @param mark our parameter and what its value begins with, e.g. `keybay_return=phantom.` */
function split({ origin, pathname, search, hash }: URL, mark: string): Parts | undefined {
  const at = search.indexOf(mark)
  if (at < 1) return undefined
  const before = origin + pathname + search.slice(0, at - 1)
  const [state = '', ...others] = search.slice(at + mark.length).split('&')
  const inQuery = new URLSearchParams(others.join('&'))
  // A wallet that appends to the text of the address appends to its fragment.
  const from = hash.search(/[?&](?:data|nonce|errorCode|\w+_encryption_public_key)=/)
  const inHash = new URLSearchParams(from < 0 ? '' : hash.slice(from + 1))
  return isAnswer(inHash) && !isAnswer(inQuery)
    ? { clean: before + hash.slice(0, from), state, answer: inHash }
    : { clean: before + hash, state, answer: inQuery }
}

/** Where the wallet is to come back to: this very address, and a mark by which we know it. */
export function redirectLink(href: string, mark: string, state: string): string {
  const url = new URL(href)
  const { origin, pathname, search, hash } = new URL(split(url, mark)?.clean ?? url)
  return `${origin}${pathname}${search}${search ? '&' : '?'}${mark}${state}${hash}`
}

/** S2.8: takes the return parameters out of the page's address; the host's state of this history entry stays. */
export function cleanAddress(mark: string): void {
  const parts = split(new URL(location.href), mark)
  if (parts) history.replaceState(history.state, '', parts.clean)
}

export interface Answer {
  readonly state: string
  readonly data: string
  readonly nonce: string
  /** The wallet's half of the exchange: comes with a connect only. */
  readonly publicKey: string
  readonly errorCode: string | undefined
  readonly errorMessage: string
}
/** The return parameters of an address that this wallet's connector claims. */
export function readAnswer(url: URL, mark: string, key: string): Answer {
  const { state = '', answer } = split(url, mark) ?? {}
  const get = (name: string) => {
    const value = answer?.get(name) ?? ''
    return value.length > MOST_CHARACTERS ? '' : value
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
