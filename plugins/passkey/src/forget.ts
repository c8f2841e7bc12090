/** A passkey that is worth nothing here, and that the browser would still offer. */
import { sendSignal } from '@simplewebauthn/browser'
import type { Tools } from './tools.js'

/** Tells the browser. Few can hear it, and it is a courtesy: it never fails. */
export async function forget({ account, kernel }: Tools, credentialID: string | undefined): Promise<void> {
  if (!credentialID) return
  try {
    const { passkey } = await account.settings()
    await sendSignal({ signalName: 'unknownCredential', rpID: passkey.rpId, credentialID })
  } catch (error) {
    kernel.logger.debug('passkey', error)
  }
}
