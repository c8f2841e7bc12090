/** The host's page in the two-origin tests: an instance with the plugin in it, a clock that the test moves, and handles. */
import { createKeybay, toKeybayError } from '@keybay/kernel'
import { resolveParameters } from '../../../src/client/parameters.js'
import { acquireFrame, type FrameHandle, type FrameState } from '../../../src/client/shared-frame.js'
import { waas } from '../../../src/index.js'
import { standInAccount } from '../stand-in-account.js'
import { createPageClock } from './clock.js'

const frameHost = location.origin.replace(/\/\/[^.]+\./, '//wallet.')
const options = { frameHost, baseApiUrl: 'http://api.app.localhost:4100/api/v0' }
const clock = createPageClock()
const states: FrameState[] = []
const logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Returns the outcome of a promise in a form that can leave the page. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await promise }
  } catch (thrown) {
    const { code, message, cause } = toKeybayError(thrown)
    return { code, message, cause: cause === undefined ? undefined : toKeybayError(cause).code }
  }
}

function acquire(): FrameHandle {
  return acquireFrame({
    parameters: resolveParameters({ ...options, sdkVersion: '0.1.0' }, { environmentId: 'env-1' }, self.origin),
    userId: 'mara',
    clock,
    logger,
    authToken: async () => 'token-of-mara',
    onState: state => states.push(state),
  })
}

function start() {
  const events: unknown[] = []
  const keybay = createKeybay({
    appName: 'Test',
    environmentId: 'env-1',
    logLevel: 'silent',
    plugins: [standInAccount(), waas(options)],
  })
  keybay.onAny((name, payload) => events.push([name, name === 'log' ? undefined : payload]))
  return { keybay, events }
}

const host = {
  clock,
  states,
  outcome,
  acquire,
  start,
  frames: (): readonly HTMLIFrameElement[] => [...document.querySelectorAll('iframe')],
}
export type Host = typeof host
Object.assign(globalThis, { host })
