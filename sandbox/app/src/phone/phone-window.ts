/**
 * Simulates a phone: a phone-sized window whose page reports itself as a phone before the kit checks. The wallets
 * that it opens are the sandbox's, at phone.localhost, in the same window.
 */
const PARAMETER = 'phone'
/** Stored for that window and the windows that it opens. */
const KEY = 'keybay-sandbox:phone'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

/** Call it in the click handler. */
export function openPhoneWindow(): void {
  window.open(`/?${PARAMETER}`, '_blank', 'popup,width=390,height=844')
}

function isPhoneWindow(): boolean {
  const url = new URL(location.href)
  const begins = url.searchParams.has(PARAMETER)
  try {
    if (begins) sessionStorage.setItem(KEY, 'yes')
    return sessionStorage.getItem(KEY) !== null
  } catch {
    return begins // the page counts as a phone until the user leaves it
  } finally {
    url.searchParams.delete(PARAMETER)
    if (begins) history.replaceState(history.state, '', url)
  }
}
if (isPhoneWindow()) {
  Object.defineProperty(navigator, 'userAgent', { value: IPHONE })
  Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 })
}
