/** Creates and uses the frame's own passkeys. A passkey of the page's domain does not work here. */
import { webauthnUnsupported } from '@keybay/kernel/spec'

/** WebAuthn options as JSON, in the form that the product API returns. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

/** Checks one field only, because the browser's own parser validates the rest of WebAuthn's JSON. */
function isCreation(options: object): options is PublicKeyCredentialCreationOptionsJSON {
  return 'user' in options
}

function isRequest(options: object): options is PublicKeyCredentialRequestOptionsJSON {
  return 'challenge' in options
}

/** Returns true if this browser supports passkeys in a frame of another site. */
export function passkeysSupported(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'toJSON' in PublicKeyCredential.prototype
  )
}

/** Message shown after the user closed the browser's dialog. */
export const UNTOUCHED = 'The passkey was not used, so nothing was done. Try again, or take another way.'
const TAKEN = 'This device has a passkey for the wallet already.'

/** Turns an error into a message for the user. A closed dialog is no failure: the prompt stays open and says so. */
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

/** Creates a passkey. Call it in a click handler. @throws Error with a message for the user */
export async function createPasskey(options: PasskeyOptions): Promise<PasskeyOptions> {
  try {
    if (!isCreation(options)) throw new TypeError(UNTOUCHED)
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return asJson(await navigator.credentials.create({ publicKey }))
  } catch (thrown) {
    throw inWords(thrown)
  }
}

/** Signs with a passkey. Call it in a click handler. @throws Error with a message for the user */
export async function askPasskey(options: PasskeyOptions): Promise<PasskeyOptions> {
  try {
    if (!isRequest(options)) throw new TypeError(UNTOUCHED)
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    return asJson(await navigator.credentials.get({ publicKey }))
  } catch (thrown) {
    throw inWords(thrown)
  }
}
