import type { WalletOperation } from '@keybay/kernel/spec'
import { type Action, useAction } from '@keybay/react'
import type { SetPasswordOptions, UpdatePasswordOptions } from '../client/recovery-api.js'
import { useInstance } from './waas.js'

type Without<T> = Omit<T, 'signal'>
export interface UseWalletPassword {
  /** Without a `newPassword` the user enters it where the page cannot read it. */
  readonly set: Action<[options?: Without<SetPasswordOptions>], void>
  readonly update: Action<[options?: Without<UpdatePasswordOptions>], void>
  readonly verify: Action<[password: string], boolean>
  /** Resolves to true if an operation needs the password (S6.2). */
  readonly required: Action<[operation: WalletOperation], boolean>
}

/**
 * The password that protects this browser's share. `passwordEncrypted` of the wallet in `useEmbeddedWallets` tells
 * whether there is one.
 *
 * @example const { set } = useWalletPassword(address); <button onClick={() => set.run()}>Set a password</button>
 */
export function useWalletPassword(address: string): UseWalletPassword {
  const { waas } = useInstance()
  return {
    set: useAction((signal: AbortSignal, options?: Without<SetPasswordOptions>) =>
      waas.setPassword(address, { ...options, signal }),
    ),
    update: useAction((signal: AbortSignal, options?: Without<UpdatePasswordOptions>) =>
      waas.updatePassword(address, { ...options, signal }),
    ),
    verify: useAction((signal: AbortSignal, password: string) => waas.verifyPassword(address, password, { signal })),
    required: useAction((signal: AbortSignal, operation: WalletOperation) =>
      waas.requiresPasswordForOperation(address, operation, { signal }),
    ),
  }
}
