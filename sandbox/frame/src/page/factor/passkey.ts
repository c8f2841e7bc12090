/** The frame's own passkeys, by the browser's own functions: one of the page's domain cannot be asked for here. */
import { webauthnUnsupported } from '@keybay/kernel/spec'

/** WebAuthn options as JSON, as the product API made them. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

/** No more than this: the browser's own parser refuses what is not WebAuthn's JSON, field by field. */
function isCreation(options: object): options is PublicKeyCredentialCreationOptionsJSON {
  return 'user' in options
}

function isRequest(options: object): options is PublicKeyCredentialRequestOptionsJSON {
  return 'challenge' in options
}

/** Returns whether this browser supports passkeys in a frame of another site. */
export function passkeysSupported(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'toJSON' in PublicKeyCredential.prototype
  )
}

/** Message for a closed dialog of the browser. */
export const UNTOUCHED = 'The passkey was not used, so nothing was done. Try again, or take another way.'
const TAKEN = 'This device has a passkey for the wallet already.'

/** Closing the browser's dialog is no failure: the question stays, and says so. */
export function inWords(thrown: unknown): Error {
  const name = thrown instanceof Error ? thrown.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return new Error(UNTOUCHED)
  if (name === 'InvalidStateError') return new Error(TAKEN)
  if (name === 'NotSupportedError' || name === 'SecurityError') return new Error(webauthnUnsupported.message)
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

function asJson(credential: Credential | null): PasskeyOptions {
  if (!(credential instanceof PublicKeyCredential)) throw new Error(UNTOUCHED)
  return { ...credential.toJSON() }
}

/** Makes one. Call it in a click. @throws Error in words for the user */
export async function createPasskey(options: PasskeyOptions): Promise<PasskeyOptions> {
  try {
    if (!isCreation(options)) throw new TypeError(UNTOUCHED)
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return asJson(await navigator.credentials.create({ publicKey }))
  } catch (thrown) {
    throw inWords(thrown)
  }
}

/** Signs with one. @throws Error in words for the user */
export async function askPasskey(options: PasskeyOptions): Promise<PasskeyOptions> {
  try {
    if (!isRequest(options)) throw new TypeError(UNTOUCHED)
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    return asJson(await navigator.credentials.get({ publicKey }))
  } catch (thrown) {
    throw inWords(thrown)
  }
}
