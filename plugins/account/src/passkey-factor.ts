import { KeybayError, requestFailed, toKeybayError, userRejected, webauthnUnsupported } from '@keybay/kernel/spec'
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import type { Authenticate } from './factor.js'

/** Uses a passkey as a second factor. */
export const authenticate: Authenticate = async optionsJSON => {
  if (!optionsJSON) throw new KeybayError(requestFailed, { detail: 'the API sent no passkey options' })
  if (!browserSupportsWebAuthn()) throw new KeybayError(webauthnUnsupported)
  try {
    return await startAuthentication({ optionsJSON })
  } catch (thrown) {
    // The user closed the dialog, or it timed out: browsers do not distinguish these.
    const isRefusal = thrown instanceof Error && /^(NotAllowed|Abort)Error$/.test(thrown.name)
    throw isRefusal ? new KeybayError(userRejected, { cause: thrown }) : toKeybayError(thrown)
  }
}
