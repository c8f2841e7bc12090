/** Passkeys that lock a new backup. Only visible frames load this. */
import type { PasskeySecret } from '@keybay/waas/mpc'
import { frameError } from '../errors/errors.js'
import { answered, askOutput, random } from './passkey.js'

/**
 * Returns false if this browser says that no passkey can lock a backup here. Otherwise only a passkey itself tells: many
 * authenticators have no PRF.
 */
export async function canLockWithPasskey(): Promise<boolean> {
  if (typeof PublicKeyCredential !== 'function') return false
  if (typeof PublicKeyCredential.getClientCapabilities !== 'function') return true
  return (await PublicKeyCredential.getClientCapabilities())['extension:prf'] !== false
}

/**
 * Gets the secret of a passkey that the user already has for backups. Call it in a click handler.
 * @throws Error with a message for the user
 */
export function choosePasskey(): Promise<PasskeySecret> {
  return askOutput(random())
}

/**
 * Creates a passkey for backups. Call it in a click handler.
 * @throws Error with a message for the user; KeybayError `frame_passkey_prf` if the passkey does not support PRF
 */
export async function makeBackupPasskey(): Promise<PasskeySecret> {
  const input = random()
  const rpId = location.hostname
  const name = 'Wallet backup'
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: random(),
    rp: { id: rpId, name },
    // A random ID, so that the authenticator replaces none of the user's other passkeys.
    user: { id: random(), name, displayName: name },
    pubKeyCredParams: [-8, -7, -257].map(alg => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    extensions: { prf: { eval: { first: input } } },
  }
  const { credentialId, enabled, output } = await answered(() => navigator.credentials.create({ publicKey }))
  if (output) return { rpId, credentialId, input, output }
  if (!enabled) throw frameError('frame_passkey_prf')
  // Many authenticators return the PRF output only when the passkey is used, not when it is created.
  return askOutput(input, credentialId)
}
