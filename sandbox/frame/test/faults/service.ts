/** A service as a process of its own, which can be made to die in the middle of a request. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import * as v from 'valibot'

export interface Requested {
  readonly method: string
  /** As `shortened` makes it. */
  readonly path: string
}
/** `asked`: dies when the request comes, before anything is done. `done`: when all is done, before the answer goes out. */
export type Moment = 'asked' | 'done'
export interface Heard extends Requested {
  readonly service: string
  readonly id: string
  readonly byBrowser: boolean
  /** ms, one clock for all processes of this machine. */
  readonly at: number
  /** When it was answered; absent for what never was. */
  done?: number
}
export interface Service {
  readonly name: string
  start(): Promise<void>
  /** At once, as when the machine goes down. */
  kill(): Promise<void>
  /** As if nothing had been ordered, and nothing had happened. */
  restart(): Promise<void>
  /** From now on: at the next request like one of these. Resolves when that is known there. */
  dieAt(requests: readonly Requested[], moment: Moment): Promise<void>
  /** Waits for `act` in the middle of it, and goes on. */
  holdAt(request: Requested, act: () => Promise<void>): Promise<void>
  /** Waits for `act` in the middle of it, and never answers: who asked is gone. */
  dropAt(request: Requested, moment: Moment, act: () => Promise<void>): Promise<void>
  /** Makes it ask others again for what it caches for some seconds. May restart it. */
  forget(): Promise<void>
  /** So that it need not be, the next time. */
  prepareToForget(): Promise<void>
  /** Whatever was ordered and has not come is forgotten. @returns whether it has died */
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

/** For longer than a relay remembers what the API said of a session; and how far a clock may be wrong unnoticed, ms. */
const REMEMBERED = 11_000
const TOLERANCE = 45_000

interface Program {
  /** The file. */
  readonly main: string
  /** Where it listens by `env`. */
  readonly port: number
  /** As the README of the service lists them. */
  readonly env: Readonly<Record<string, string>>
}
/** @param heard gets what the service is asked */
export function createService(name: string, { main, port, env }: Program, heard: Heard[]): Service {
  let child: ChildProcess | undefined
  let hold: (() => Promise<void>) | undefined
  let ordered = () => {}
  /** How far its clock is ahead, ms. */
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
      // One that is just dying hears nothing any more.
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
      ended.catch(() => {}) // it ends some day
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
