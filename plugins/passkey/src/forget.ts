import { sendSignal } from '@simplewebauthn/browser'
import type { Tools } from './tools.js'

/** Requests that the browser stop offering a passkey that the API rejects. Few browsers support this; it never fails. */
export async function forget({ account, kernel }: Tools, credentialID: string | undefined): Promise<void> {
  if (!credentialID) return
  try {
    const { passkey } = await account.settings()
    await sendSignal({ signalName: 'unknownCredential', rpID: passkey.rpId, credentialID })
  } catch (error) {
    kernel.logger.debug('passkey', error)
  }
}
