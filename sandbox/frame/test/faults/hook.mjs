/**
 * Loaded into each service before its program (`--import`). It tells the test every request that comes and that is answered,
 * and does in the middle of one what the test ordered: `die`: SIGKILL, as when the machine goes down. `hold`: waits for the
 * test. `drop`: waits for the test and never answers, because who asked is gone. A request is in its middle when it has come
 * and nothing was done (`asked`), or when all is done and nothing was said (`done`).
 *
 * @typedef {{ method: string, path: string }} Requested
 * @typedef {{ requests: Requested[], act: 'die' | 'hold' | 'drop', moment: 'asked' | 'done' }} Order at the first of these
 * @typedef {{ type: 'go' } | { type: 'order', order?: Order }} Said what the test says
 */
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { shortened } from './shortened.mjs'

/** Time that a service waits for another one, in ms: on a busy machine one that lives must not count as dead. */
const PATIENCE_MS = 20_000
const { timeout } = AbortSignal
AbortSignal.timeout = ms => Reflect.apply(timeout, AbortSignal, [Math.max(ms, PATIENCE_MS)])

/** @type {Order | undefined} */
let order
let goOn = () => {}

/** @param {object} message */
function tell(message) {
  return new Promise(resolve => {
    process.send?.(message, undefined, undefined, () => resolve(undefined))
  })
}
/** Waits until the test continues the request. */
function held() {
  return new Promise(resolve => {
    goOn = () => resolve(undefined)
    void tell({ type: 'held' })
  })
}
/** @param {Said} said */
function hear(said) {
  if (said.type === 'go') return goOn()
  order = said.order
  void tell({ type: 'ordered' })
}
// Only the test uses this channel.
process.on('message', hear)
// The channel to the parent must not keep a service alive.
process.channel?.unref()

/**
 * @param {Order['act'] | undefined} act
 * @param {import('node:http').ServerResponse} response
 * @returns true if the request goes on
 */
async function inTheMiddle(act, response) {
  if (act === 'die') {
    await tell({ type: 'dying' })
    process.kill(process.pid, 'SIGKILL')
  }
  await held()
  if (act === 'drop') response.destroy()
  return act === 'hold'
}

const { emit } = Server.prototype
/** @this {Server} @param {unknown[]} args */
Server.prototype.emit = function (...args) {
  const [event, request, response] = args
  const pass = () => Reflect.apply(emit, this, args)
  const isRequest = event === 'request' && request instanceof IncomingMessage && response instanceof ServerResponse
  if (!isRequest || request.method === 'OPTIONS') return pass()
  const { method } = request
  const path = shortened(new URL(request.url ?? '', 'http://localhost').pathname)
  const byBrowser = /Chrome/.test(request.headers['user-agent'] ?? '')
  const id = crypto.randomUUID()
  const at = () => Number(process.hrtime.bigint()) / 1e6
  void tell({ type: 'asked', id, method, path, byBrowser, at: at() })
  const meant = order
  if (!meant?.requests.some(request => request.method === method && request.path === path)) {
    response.once('finish', () => void tell({ type: 'done', id, at: at() }))
    return pass()
  }
  order = undefined
  if (meant.moment === 'asked') {
    void inTheMiddle(meant.act, response).then(goesOn => goesOn && pass())
    return true
  }
  let isAnswered = false
  for (const name of ['writeHead', 'write', 'end'])
    Reflect.set(response, name, () => {
      if (!isAnswered) void inTheMiddle(meant.act, response)
      isAnswered = true
      return response
    })
  return pass()
}
