/** A provider's account, taken from who is signed in. */
import type { AccountApi, CallOptions } from '@keybay/account'
import type { KeybayError } from '@keybay/kernel'
import { invalidProvider, noAccountLinked, noProvider, unlinkError } from '@keybay/kernel/spec'
import type { Fail } from './faults.js'
import type { SocialProvider } from './provider.js'

/** Codes that say themselves what is wrong. */
const TELLING = ['session_missing', 'mfa_required', 'user_rejected', 'user_cancelled', 'aborted']

function codeOf(thrown: unknown): unknown {
  return Reflect.get(Object(thrown), 'code')
}

/** @throws KeybayError `no_provider`, `invalid_provider` */
export function assertProvider(providers: readonly SocialProvider[], id: unknown, fail: Fail): void {
  const error = !id ? noProvider : providers.some(provider => provider.id === id) ? undefined : invalidProvider
  if (error) throw fail(error)
}

export async function unlink(
  account: AccountApi,
  id: string,
  fail: (error: Parameters<Fail>[0], cause?: unknown) => KeybayError,
  options: CallOptions = {},
): Promise<void> {
  const user = await account.user.refresh(options)
  const credential = user?.credentials.find(({ method, provider }) => method === 'oauth' && provider === id)
  if (!credential) throw fail(noAccountLinked)
  try {
    await account.unlink(credential.id, options)
  } catch (thrown) {
    throw TELLING.some(code => code === codeOf(thrown)) ? thrown : fail(unlinkError, thrown)
  }
}
