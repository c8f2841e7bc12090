/** The frame's own passkeys, by the browser's own functions: one of the page's domain cannot be asked for here. */
import { webauthnUnsupported } from '@keybay/kernel/spec'
import * as v from 'valibot'

/** WebAuthn options as JSON, as the product API made them. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

const text = v.pipe(v.string(), v.maxLength(4096))
const wanted = v.picklist(['discouraged', 'preferred', 'required'])
const named = v.array(v.object({ id: text, type: v.literal('public-key'), transports: v.optional(v.array(text)) }))
const creation = v.object({
  challenge: text,
  rp: v.object({ id: text, name: text }),
  user: v.object({ id: text, name: text, displayName: text }),
  pubKeyCredParams: v.array(v.object({ alg: v.number(), type: v.literal('public-key') })),
  timeout: v.optional(v.number()),
  excludeCredentials: v.optional(named),
  authenticatorSelection: v.optional(
    v.object({ residentKey: v.optional(wanted), userVerification: v.optional(wanted) }),
  ),
})
const request = v.object({
  challenge: text,
  rpId: text,
  timeout: v.optional(v.number()),
  userVerification: v.optional(wanted),
  allowCredentials: named,
})

/** Whether this browser has them, and lets a frame of another site use them. */
export const passkeysSupported = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  'toJSON' in PublicKeyCredential.prototype

const UNTOUCHED = 'The passkey was not used, so nothing was done. Try again, or take another way.'
const TAKEN = 'This device has a passkey for the wallet already.'

/** Closing the browser's dialog is no failure: the question stays, and says so. */
const inWords = (thrown: unknown): Error => {
  const name = thrown instanceof Error ? thrown.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return new Error(UNTOUCHED)
  if (name === 'InvalidStateError') return new Error(TAKEN)
  if (name === 'NotSupportedError' || name === 'SecurityError') return new Error(webauthnUnsupported.message)
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
const asJson = (credential: Credential | null): PasskeyOptions => {
  if (!(credential instanceof PublicKeyCredential)) throw new Error(UNTOUCHED)
  return { ...credential.toJSON() }
}

/** Makes one. Call it in a click. @throws Error in words for the person */
export const createPasskey = async (options: PasskeyOptions): Promise<PasskeyOptions> => {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(v.parse(creation, options))
    return asJson(await navigator.credentials.create({ publicKey }))
  } catch (thrown) {
    throw inWords(thrown)
  }
}

/** Signs with one. @throws Error in words for the person */
export const askPasskey = async (options: PasskeyOptions): Promise<PasskeyOptions> => {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(v.parse(request, options))
    return asJson(await navigator.credentials.get({ publicKey }))
  } catch (thrown) {
    throw inWords(thrown)
  }
}
