/** What loads with the first call, together with @simplewebauthn/browser. */
import type { Kernel, LoginConnector } from '@keybay/kernel'
import type { PasskeyApi, PasskeyInput } from './api.js'
import { autofill } from './autofill.js'
import { connect } from './connect.js'
import { list, remove, rename } from './manage.js'
import type { KernelErrors, Tools } from './tools.js'

export interface Engine
  extends Omit<PasskeyApi, 'supported'>,
    Pick<LoginConnector<'passkey', PasskeyInput | undefined>, 'connect'> {}

function createEngine(kernel: Kernel<'account'>, errors: KernelErrors): Engine {
  const control = new AbortController()
  kernel.onDispose(() => control.abort())
  // Disposed while this code was on its way: nobody would tell us any more.
  if (!kernel.connectors.get('passkey')) control.abort()
  const tools: Tools = { kernel, account: kernel.plugins.account, over: control.signal, errors }
  return {
    connect: (input, ctx) => connect(tools, input, ctx),
    autofill: options => autofill(tools, options?.signal),
    list: options => list(tools, options),
    rename: (...args) => rename(tools, ...args),
    remove: (...args) => remove(tools, ...args),
  }
}

const engines = new WeakMap<Kernel<'account'>, Engine>()
/** The one engine of an instance, kept here because every byte of the plugin's own file is in the page's first chunk. */
export function engineOf(kernel: Kernel<'account'>, errors: KernelErrors): Engine {
  const engine = engines.get(kernel) ?? createEngine(kernel, errors)
  engines.set(kernel, engine)
  return engine
}
