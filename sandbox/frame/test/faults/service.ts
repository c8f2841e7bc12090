/** Runs a service as its own process, which a test can kill in the middle of a request. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import * as v from 'valibot'

export interface Requested {
  readonly method: string
  /** Path as `shortened` returns it. */
  readonly path: string
}
/** `asked`: dies on the request, before any work. `done`: dies after all work, before the response is sent. */
export type Moment = 'asked' | 'done'
export interface Heard extends Requested {
  readonly service: string
  readonly id: string
  readonly byBrowser: boolean
  /** Time of the request in ms, by one clock for all processes of this machine. */
  readonly at: number
  /** Time of the response; absent without a response. */
  done?: number
}
export interface Service {
  readonly name: string
  start(): Promise<void>
  /** Kills the process at once, as when the machine goes down. */
  kill(): Promise<void>
  /** Restarts the service, without any order from before. */
  restart(): Promise<void>
  /** Makes the service die at the next request like one of these. Resolves when the service knows. */
  dieAt(requests: readonly Requested[], moment: Moment): Promise<void>
  /** Waits for `act` in the middle of the request, then continues it. */
  holdAt(request: Requested, act: () => Promise<void>): Promise<void>
  /** Waits for `act` in the middle of the request, and never responds, because the sender is gone. */
  dropAt(request: Requested, moment: Moment, act: () => Promise<void>): Promise<void>
  /** Expires what the service caches from other services for some seconds. May restart the service. */
  forget(): Promise<void>
  /** Restarts the service now if needed, so that the next `forget` does not. */
  prepareToForget(): Promise<void>
  /** Cancels an order that is still pending. @returns true if the service has died */
  disarm(): Promise<boolean>
}

const said = v.variant('type', [
  v.object({
    type: v.literal('asked'),
    id: v.string(),
    method: v.string(),
    path: v.string(),
    byBrowser: v.boolean(),
    at: v.number(),
  }),
  v.object({ type: v.literal('done'), id: v.string(), at: v.number() }),
  v.object({ type: v.picklist(['ordered', 'held', 'dying', 'ready']) }),
])
interface Order {
  readonly requests: readonly Requested[]
  readonly act: 'die' | 'hold' | 'drop'
  readonly moment: Moment
}
const HOOK = new URL('./hook.mjs', import.meta.url).href

/**
 * Longer than a relay caches the API's answer about a session, in ms; and the clock error that stays unnoticed, in ms.
 */
const REMEMBERED = 11_000
const TOLERANCE = 45_000

interface Program {
  /** File of the program. */
  readonly main: string
  /** Port that `env` makes the service listen on. */
  readonly port: number
  /** Variables that the README of the service lists. */
  readonly env: Readonly<Record<string, string>>
}
/** @param heard gets what the service is asked */
export function createService(name: string, { main, port, env }: Program, heard: Heard[]): Service {
  let child: ChildProcess | undefined
  let hold: (() => Promise<void>) | undefined
  let ordered = () => {}
  /** Time by which the service's clock is ahead, in ms. */
  let ahead = 0
  const alive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const listen = (own: ChildProcess) =>
    own.on('message', message => {
      const { success, output } = v.safeParse(said, message)
      if (!success) return
      if (output.type === 'asked') {
        const { type: _, ...request } = output
        heard.push({ service: name, ...request })
      }
      if (output.type === 'done') {
        const request = heard.find(({ id }) => id === output.id)
        if (request) request.done = output.at
      }
      if (output.type === 'ordered') ordered()
      if (output.type === 'held') void goOn(own)
    })
  const goOn = async (own: ChildProcess) => {
    const act = hold
    hold = undefined
    await act?.().catch(() => {}) // The caller handles the error.
    own.send({ type: 'go' }, () => {}) // The process may have died.
  }
  const order = (what?: Order) =>
    new Promise<void>(resolve => {
      ordered = resolve
      // A process that is dying receives nothing any more.
      child?.send({ type: 'order', order: what }, () => {})
    })
  const self: Service = {
    name,
    async start() {
      const own = fork(main, {
        env: { ...env },
        execArgv: ['--import', HOOK],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      })
      child = own
      ahead = 0
      let text = ''
      own.stderr?.setEncoding('utf8').on('data', chunk => (text += chunk))
      listen(own)
      const ready = new Promise<void>(resolve => {
        own.on('message', message => {
          if (v.is(v.object({ type: v.literal('ready') }), message)) resolve()
        })
      })
      const ended = once(own, 'exit').then(() => {
        throw new Error(`${name} ended before it was ready: ${text}`)
      })
      await Promise.race([ready, ended])
      ended.catch(() => {}) // the process ends later
    },
    async kill() {
      if (!child || !alive()) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    async restart() {
      await self.kill()
      hold = undefined
      await self.start()
    },
    dieAt: (requests, moment) => order({ requests, act: 'die', moment }),
    holdAt(request, act) {
      hold = act
      return order({ requests: [request], act: 'hold', moment: 'asked' })
    },
    dropAt(request, moment, act) {
      hold = act
      return order({ requests: [request], act: 'drop', moment })
    },
    async prepareToForget() {
      if (ahead + REMEMBERED <= TOLERANCE) return
      await self.restart()
    },
    async forget() {
      await self.prepareToForget()
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
      const response = await fetch(`http://127.0.0.1:${port}/admin/clock`, {
        ...init,
        body: JSON.stringify({ advance: REMEMBERED }),
      })
      if (!response.ok) throw new Error(await response.text())
      ahead += REMEMBERED
    },
    async disarm() {
      hold = undefined
      if (!child || !alive()) return true
      const gone = once(child, 'exit')
      await (child.connected ? Promise.race([order(), gone]) : gone)
      return !alive()
    },
  }
  return self
}
