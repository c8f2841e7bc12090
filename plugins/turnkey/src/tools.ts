/** What the code that loads later works with. */
import type { AccountApi } from '@keybay/account'
import type * as kernel from '@keybay/kernel'
import type { ErrorFacts, ErrorSpec, Kernel, KeybayError } from '@keybay/kernel'
import type { Hosts, StageHosts } from '@keybay/kernel/spec'

/** Handed over by the plugin: were they imported here, a bundler would tear them out of the page's first chunk. */
export type KernelErrors = readonly [
  KeybayError: typeof kernel.KeybayError,
  toKeybayError: typeof kernel.toKeybayError,
  userRejected: ErrorSpec,
  accountNotFound: ErrorSpec,
  sessionMissing: ErrorSpec,
  configInvalid: ErrorSpec,
]
export interface ServiceOptions {
  /** Of the service: the sandbox's custody, or Turnkey's `https://api.turnkey.com`. */
  readonly baseUrl: string
  /** How long a session key signs without the passkey, seconds; default 900. */
  readonly sessionSeconds?: number | undefined
  /** Your own hosts for `preprod` and `production`, as in `waas({ hosts })`; here only `frameHost` is used. */
  readonly hosts?: StageHosts<Partial<Hosts>> | undefined
  /** The origin that serves the export window (`sandbox/frame`), whatever the stage. Default: from `hosts`. */
  readonly frameHost?: string | undefined
  /** Of the passkey; default: the environment's. */
  readonly rpId?: string | undefined
}
export interface Tools {
  readonly kernel: Kernel<'account'>
  readonly account: AccountApi
  readonly options: ServiceOptions
  readonly errors: KernelErrors
  fault(spec: ErrorSpec, facts?: ErrorFacts): KeybayError
}

export function createTools(kernel: Kernel<'account'>, options: ServiceOptions, errors: KernelErrors): Tools {
  return {
    kernel,
    account: kernel.plugins.account,
    options,
    errors,
    fault: (spec, facts) => new errors[0](spec, { connectorId: 'turnkey', ...facts }),
  }
}
