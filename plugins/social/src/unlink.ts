/** Unlinks a provider's account from the signed-in user. */
import type { AccountApi, CallOptions } from '@keybay/account'
import { invalidProvider, isKeybayError, noAccountLinked, noProvider, unlinkError } from '@keybay/kernel/spec'
import type { Fail } from './fail.js'
import type { SocialProviderDefinition } from './provider.js'

/** Error codes that explain themselves; others become the cause of `unlink_error`. */
const CLEAR_CODES = ['session_missing', 'mfa_required', 'user_rejected', 'user_cancelled', 'aborted']

/** @throws KeybayError `no_provider`, `invalid_provider` */
export function assertProvider(providers: readonly SocialProviderDefinition[], id: unknown, fail: Fail): void {
  if (!id) throw fail(noProvider)
  if (!providers.some(provider => provider.id === id)) throw fail(invalidProvider)
}

export async function unlink(account: AccountApi, id: string, fail: Fail, options: CallOptions = {}): Promise<void> {
  const user = await account.user.refresh(options)
  const credential = user?.credentials.find(({ method, provider }) => method === 'oauth' && provider === id)
  if (!credential) throw fail(noAccountLinked)
  try {
    await account.unlink(credential.id, options)
  } catch (thrown) {
    throw isKeybayError(thrown) && CLEAR_CODES.includes(thrown.code) ? thrown : fail(unlinkError, thrown)
  }
}
