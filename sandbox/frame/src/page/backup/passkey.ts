/**
 * Passkeys of this frame that seal backups. With WebAuthn's PRF extension, the authenticator maps an input to 32 bytes
 * that only this passkey can produce (https://www.w3.org/TR/webauthn-3/#prf-extension). A second-factor passkey is
 * separate: it signs for the service, while a backup passkey reveals nothing to the service.
 */
import { fromBase64Url, toBase64Url } from '@keybay/kernel/spec'
import type { PasskeyName, PasskeySecret } from '@keybay/waas/mpc'
import { frameError } from '../errors/errors.js'
import { inWords, UNTOUCHED } from '../factor/passkey.js'

export function random(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(32))
}

function copyBytes(source: BufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()
    : new Uint8Array(source)
}

interface Answered {
  readonly credentialId: string
  readonly enabled: boolean
  readonly output: Uint8Array | undefined
}
/** @throws Error with a message for the user */
export async function answered(asking: () => Promise<Credential | null>): Promise<Answered> {
  try {
    const credential = await asking()
    if (!(credential instanceof PublicKeyCredential)) throw new Error(UNTOUCHED)
    const { enabled = false, results } = credential.getClientExtensionResults().prf ?? {}
    const output = results && copyBytes(results.first)
    return { credentialId: toBase64Url(new Uint8Array(credential.rawId)), enabled, output }
  } catch (thrown) {
    throw inWords(thrown)
  }
}

/** @param which if undefined, the user chooses the passkey */
export async function askOutput(input: Uint8Array, which?: string): Promise<PasskeySecret> {
  const rpId = location.hostname
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: random(),
    rpId,
    // Required, because authenticators return a different secret without user verification.
    userVerification: 'required',
    extensions: { prf: { eval: { first: Uint8Array.from(input) } } },
    ...(which !== undefined && { allowCredentials: [{ type: 'public-key', id: fromBase64Url(which) }] }),
  }
  const { credentialId, output } = await answered(() => navigator.credentials.get({ publicKey }))
  if (!output) throw frameError('frame_passkey_prf')
  return { rpId, credentialId, input, output }
}

/**
 * Gets the secret of the passkey that sealed a backup. Call it in a click handler.
 * @throws Error as `choosePasskey`; KeybayError `frame_passkey_elsewhere`
 */
export async function repeatPasskey({ rpId, credentialId, input }: PasskeyName): Promise<PasskeySecret> {
  if (rpId !== location.hostname) throw frameError('frame_passkey_elsewhere', { detail: rpId })
  return askOutput(input, credentialId)
}
