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

const messageSchema = v.variant('type', [
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
/** Longer than a relay caches the API's answer about a session. */
const CACHED_MS = 11_000
/** Clock error that stays unnoticed. */
const TOLERANCE_MS = 45_000

interface Program {
  /** File of the program. */
  readonly main: string
  /** Port that `env` makes the service listen on. */
  readonly port: number
  /** Variables that the README of the service lists. */
  readonly env: Readonly<Record<string, string>>
}

export class Service {
  readonly #name: string
  readonly #program: Program
  readonly #heard: Heard[]
  #child: ChildProcess | undefined
  #hold: (() => Promise<void>) | undefined
  #ordered = () => {}
  /** Time by which the service's clock is ahead. */
  #aheadMs = 0

  /** @param requestLog gets the requests to the service */
  constructor(name: string, program: Program, requestLog: Heard[]) {
    this.#name = name
    this.#program = program
    this.#heard = requestLog
  }

  async start(): Promise<void> {
    const { main, env } = this.#program
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
    const child = fork(main, ['--sandbox'], { env: { ...env }, execArgv: ['--import', HOOK], stdio: [...stdio] })
    this.#child = child
    this.#aheadMs = 0
    let text = ''
    child.stderr?.setEncoding('utf8').on('data', chunk => (text += chunk))
    const ready = new Promise<void>(resolve => child.on('message', message => this.#take(child, message, resolve)))
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${this.#name} ended before it was ready: ${text}`)
    })
    await Promise.race([ready, ended])
    ended.catch(() => {}) // the process ends later
  }
  /** Kills the process at once, as when the machine goes down. */
  async kill(): Promise<void> {
    if (!this.#child || !this.#isAlive()) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }
  /** Restarts the service, without any order from before. */
  async restart(): Promise<void> {
    await this.kill()
    this.#hold = undefined
    await this.start()
  }
  /** Makes the service die at the next request like one of these. Resolves when the service knows. */
  dieAt(requests: readonly Requested[], moment: Moment): Promise<void> {
    return this.#order({ requests, act: 'die', moment })
  }
  /** Waits for `act` in the middle of the request, then continues it. */
  holdAt(request: Requested, act: () => Promise<void>): Promise<void> {
    this.#hold = act
    return this.#order({ requests: [request], act: 'hold', moment: 'asked' })
  }
  /** Waits for `act` in the middle of the request, and never responds, because the sender is gone. */
  dropAt(request: Requested, moment: Moment, act: () => Promise<void>): Promise<void> {
    this.#hold = act
    return this.#order({ requests: [request], act: 'drop', moment })
  }
  /** Restarts the service now if needed, so that the next `forget` does not. */
  async prepareToForget(): Promise<void> {
    if (this.#aheadMs + CACHED_MS > TOLERANCE_MS) await this.restart()
  }
  /** Expires what the service caches from other services for some seconds. May restart the service. */
  async forget(): Promise<void> {
    await this.prepareToForget()
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ advance: CACHED_MS })
    const response = await fetch(`http://127.0.0.1:${this.#program.port}/admin/clock`, { ...init, body })
    if (!response.ok) throw new Error(await response.text())
    this.#aheadMs += CACHED_MS
  }
  /** Cancels an order that is still pending. @returns true if the service has died */
  async disarm(): Promise<boolean> {
    this.#hold = undefined
    if (!this.#child || !this.#isAlive()) return true
    const gone = once(this.#child, 'exit')
    await (this.#child.connected ? Promise.race([this.#order(), gone]) : gone)
    return !this.#isAlive()
  }

  #isAlive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }
  #order(order?: Order): Promise<void> {
    return new Promise(resolve => {
      this.#ordered = resolve
      // A process that is dying receives nothing any more.
      this.#child?.send({ type: 'order', order }, () => {})
    })
  }
  #take(child: ChildProcess, message: unknown, ready: () => void): void {
    const { success, output } = v.safeParse(messageSchema, message)
    if (!success) return
    if (output.type === 'asked') {
      const { type: _, ...request } = output
      this.#heard.push({ service: this.#name, ...request })
    } else if (output.type === 'done') {
      const request = this.#heard.find(({ id }) => id === output.id)
      if (request) request.done = output.at
    } else if (output.type === 'ready') ready()
    else if (output.type === 'ordered') this.#ordered()
    else if (output.type === 'held') void this.#goOn(child)
  }
  async #goOn(child: ChildProcess): Promise<void> {
    const act = this.#hold
    this.#hold = undefined
    await act?.().catch(() => {}) // The caller handles the error.
    child.send({ type: 'go' }, () => {}) // The process may have died.
  }
}
