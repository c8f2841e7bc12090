/** Loads with the first call, together with @simplewebauthn/browser. */
import type { Kernel, LoginConnector } from '@keybay/kernel'
import type { PasskeyApi, PasskeyInput } from './api.js'
import { autofill } from './autofill.js'
import { connect } from './connect.js'
import { list, remove, rename } from './manage.js'
import type { Tools } from './tools.js'

export interface Engine
  extends Omit<PasskeyApi, 'supported'>,
    Pick<LoginConnector<'passkey', PasskeyInput | undefined>, 'connect'> {}

export function createEngine(kernel: Kernel<'account'>): Engine {
  const controller = new AbortController()
  kernel.onDispose(() => controller.abort())
  // `onDispose` would come too late if the instance was disposed while this code loaded.
  if (!kernel.connectors.get('passkey')) controller.abort()
  const tools: Tools = { kernel, account: kernel.plugins.account, disposal: controller.signal }
  return {
    connect: (input, ctx) => connect(tools, input, ctx),
    autofill: options => autofill(tools, options?.signal),
    list: options => list(tools, options),
    rename: (...args) => rename(tools, ...args),
    remove: (...args) => remove(tools, ...args),
  }
}
