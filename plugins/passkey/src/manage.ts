/** Lists, renames and removes the signed-in user's passkeys. */
import type { CallOptions, UserCredential } from '@keybay/account'
import { KeybayError } from '@keybay/kernel/spec'
import { sendSignal } from '@simplewebauthn/browser'
import { passkeyNotFound } from './errors.js'
import type { Tools } from './tools.js'

export async function list({ account }: Tools, options?: CallOptions): Promise<readonly UserCredential[]> {
  return (await account.user.refresh(options))?.credentials.filter(({ method }) => method === 'passkey') ?? []
}
/** Finds passkeys only, so that no other credential is renamed or removed here. */
async function find(tools: Tools, id: string, options: CallOptions | undefined): Promise<UserCredential> {
  const passkey = (await list(tools, options)).find(passkey => passkey.id === id)
  if (!passkey) throw new KeybayError(passkeyNotFound)
  return passkey
}

export async function rename(tools: Tools, id: string, name: string, options?: CallOptions): Promise<UserCredential> {
  await find(tools, id, options)
  return tools.account.renameCredential(id, name, options)
}

export async function remove(tools: Tools, id: string, options?: CallOptions): Promise<void> {
  const { passkeyId } = await find(tools, id, options)
  await tools.account.unlink(id, options)
  await forget(tools, passkeyId)
}
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
