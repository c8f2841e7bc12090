/** The passkeys of who is signed in. */
import type { CallOptions, UserCredential } from '@keybay/account'
import { passkeyNotFound } from './errors.js'
import { forget } from './forget.js'
import type { Tools } from './tools.js'

export async function list({ account }: Tools, options?: CallOptions): Promise<readonly UserCredential[]> {
  return (await account.user.refresh(options))?.credentials.filter(({ method }) => method === 'passkey') ?? []
}

/** The user's other credentials are none of this plugin's business. */
async function find(tools: Tools, id: string, options: CallOptions | undefined): Promise<UserCredential> {
  const found = (await list(tools, options)).find(passkey => passkey.id === id)
  if (found) return found
  const [KeybayError] = tools.errors
  throw new KeybayError(passkeyNotFound)
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
