/** Dependencies of the code that loads with the first call. */
import type { AccountApi } from '@keybay/account'
import type { Kernel } from '@keybay/kernel'
import type { Hosts, StageHosts } from '@keybay/kernel/spec'

export interface ServiceOptions {
  /** URL of the custody service: the sandbox or Turnkey's `https://api.turnkey.com`. */
  readonly baseUrl: string
  /** Time for which a session key signs without the passkey, in seconds. Default 900. */
  readonly sessionSeconds?: number | undefined
  /** Hosts for `preprod` and `production`, as in `waas({ hosts })`. Uses only `frameHost`. */
  readonly hosts?: StageHosts<Partial<Hosts>> | undefined
  /** Origin that serves the custody window (`sandbox/frame`), for every stage. Default: from `hosts`. */
  readonly frameHost?: string | undefined
  /**
   * Shows what is signed in the custody window of `frameHost` before each signature, and asks the user. Default true. With
   * false, only your page shows it.
   */
  readonly signingWindow?: boolean | undefined
  /** Relying party of the passkey. Default: the environment's. */
  readonly rpId?: string | undefined
}
export interface Tools {
  readonly kernel: Kernel<'account'>
  readonly account: AccountApi
  readonly options: ServiceOptions
}
