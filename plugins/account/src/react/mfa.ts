import type { MfaMethod } from '@keybay/kernel/spec'
import { type Action, useAction } from '@keybay/react'
import type { MfaEnrolment } from '../api.js'
import type { MfaDevice } from '../user.js'
import { useAccount } from './account.js'
import { useUserState } from './user.js'

const NONE: readonly MfaDevice[] = []

export interface UseMfa {
  readonly devices: readonly MfaDevice[]
  /** Number of unused recovery codes. */
  readonly recoveryCodesLeft: number
  /** Starts adding a device. Its `data` is the enrolment: show it, then call `confirm`. */
  readonly add: Action<[method: MfaMethod, name?: string], MfaEnrolment>
  readonly remove: Action<[deviceId: string], void>
  /** Creates new recovery codes, to show once; the old ones stop working. */
  readonly recoveryCodes: Action<[], readonly string[]>
}

/** @example const { devices, add } = useMfa(); add.run('totp') */
export function useMfa(): UseMfa {
  const { mfa } = useAccount()
  const userMfa = useUserState().user?.mfa
  return {
    devices: userMfa?.devices ?? NONE,
    recoveryCodesLeft: userMfa?.recoveryCodes ?? 0,
    add: useAction((signal: AbortSignal, method: MfaMethod, name?: string) =>
      mfa.add(method, { signal, ...(name !== undefined && { name }) }),
    ),
    remove: useAction((signal: AbortSignal, deviceId: string) => mfa.remove(deviceId, { signal })),
    recoveryCodes: useAction((signal: AbortSignal) => mfa.recoveryCodes({ signal })),
  }
}
