/** Virtual network: every request of a simulated party goes through here, where the running step's faults apply. */
import { getStatus } from '@keybay/sandbox-relay/testing/error-list'
import { hang } from '@keybay/sandbox-relay/testing/simulated/relay'
import type { Fault, Step } from './steps.js'

/** Endpoint of the network; a process has a name, so that requests of a dead one reach no party. */
export interface Endpoint {
  fetch(request: Request): Promise<Response>
  isAlive(process: string): boolean
  kill(): void
}
/** Request with its body, which can be delivered more than once. */
interface Message {
  readonly from: string
  readonly process: string
  readonly to: string
  readonly url: string
  readonly init: RequestInit
}
interface Running {
  readonly faults: readonly Fault[]
  readonly counts: Map<string, number>
}

export type Network = ReturnType<typeof createNetwork>
export interface NetworkParts {
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Runs a step of other parties in the middle of a request. */
  readonly runInner: (step: Step) => Promise<void>
  readonly log: (line: string) => void
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
/** `http://<to>.<from>-<process>.sim/…` */
const HOST = /^([\w-]+)\.([\w-]+)-(\d+)\.sim$/

/** Maximum number of messages of a step. Parties that send more never end, and keep every timer from firing. */
const MAX_MESSAGES = 300

/** Message of the error that `fetch` throws when a connection fails. */
export const UNREACHABLE = 'fetch failed'

function unreachable(): TypeError {
  return new TypeError(UNREACHABLE)
}

/** Requests that other requests of the same relay may wait for, like those for keys, cannot wait for a whole step. */
function canWait({ from, url }: Message): boolean {
  return !/^r\d$/.test(from) || url.endsWith('/peer')
}

/** Lets only the innermost step go on, so that one party acts at a time. */
function createTurns(running: readonly Running[]) {
  const waiting: (() => void)[] = []
  return {
    /** Waits until the steps that began in the middle of a request have ended. */
    async ownTurn(depth: number): Promise<void> {
      while (running.length > depth) await new Promise<void>(resolve => waiting.push(resolve))
    },
    next() {
      for (const resume of waiting.splice(0)) resume()
    },
  }
}

function readMessage(request: Request, body: string): Message {
  const [, to = '', from = '', process = ''] = HOST.exec(new URL(request.url).hostname) ?? []
  // As on a wire: services read only a body whose length is announced.
  request.headers.set('content-length', `${Buffer.byteLength(body)}`)
  const init = { method: request.method, headers: request.headers, ...(body !== '' && { body }) }
  return { from, process, to, url: request.url, init }
}

/** Limits the messages of a step. */
function createLimit() {
  let sent = 0
  let stop = () => {}
  return {
    /** Resolves when a step sends too many messages. */
    endless: new Promise<void>(resolve => {
      stop = resolve
    }),
    restart() {
      sent = 0
    },
    /** Counts a message. @returns true if it must not be delivered */
    isReached(): boolean {
      sent += 1
      if (sent > MAX_MESSAGES) stop()
      return sent > MAX_MESSAGES
    },
  }
}

export function createNetwork({ endpoints, runInner, log }: NetworkParts) {
  const running: Running[] = []
  const { ownTurn, next } = createTurns(running)
  let late: Message[] = []
  const limit = createLimit()
  const endpoint = (name: string): Endpoint => {
    const known = endpoints.get(name)
    if (!known) throw new Error(`No party is called ${name}.`)
    return known
  }
  /** Counts a call of an adapter, and returns the faults of this call. */
  const take = (on: string): readonly Fault[] => {
    const now = running.at(-1)
    if (!now) return []
    const at = now.counts.get(on) ?? 0
    now.counts.set(on, at + 1)
    return now.faults.filter(fault => fault.on === on && fault.at === at)
  }
  const deliver = async ({ to, url, init }: Message): Promise<Response> => {
    const response = await endpoint(to).fetch(new Request(url, init))
    // The whole body arrives or nothing.
    const body = await response.arrayBuffer()
    return new Response(response.status === 204 ? null : body, response)
  }
  const before = async (message: Message, fault: Fault): Promise<Response | undefined> => {
    if (fault.what === 'drop request') throw unreachable()
    if (fault.what === 'late') {
      late.push(message)
      throw unreachable()
    }
    if (fault.what === 'kill receiver') {
      endpoint(message.to).kill()
      throw unreachable()
    }
    if (fault.what === 'deliver twice') await deliver(message).catch(() => undefined)
    if (fault.what === 'inner step' && fault.moment === 'before' && canWait(message)) await runInner(fault.step)
    return fault.what === 'lie' && fault.moment === 'before' ? lie(fault) : undefined
  }
  const after = async (message: Message, fault: Fault): Promise<Response | undefined> => {
    if (fault.what === 'drop answer') throw unreachable()
    if (fault.what === 'kill sender') endpoint(message.from).kill()
    if (fault.what === 'inner step' && fault.moment === 'after' && canWait(message)) await runInner(fault.step)
    return fault.what === 'lie' && fault.moment === 'after' ? lie(fault) : undefined
  }
  const isDead = ({ from, process }: Message): boolean => !endpoint(from).isAlive(process)
  const send = async (message: Message): Promise<Response> => {
    const faults = take('network')
    const line = `  ${message.from} → ${message.to} ${new URL(message.url).pathname.replace(UUID, '*')}`
    try {
      for (const fault of faults) {
        const answer = await before(message, fault)
        if (isDead(message)) return hang()
        if (answer) return answer
      }
      let response = await deliver(message)
      for (const fault of faults) response = (await after(message, fault)) ?? response
      log(`${line} ${response.status}`)
      return response
    } catch (error) {
      log(`${line} failed`)
      throw error
    }
  }
  return {
    take,
    endless: limit.endless,
    /** Runs `act` with its own faults. */
    async within<T>(faults: readonly Fault[], act: () => Promise<T>): Promise<T> {
      if (running.length === 0) limit.restart()
      running.push({ faults, counts: new Map() })
      try {
        return await act()
      } finally {
        running.pop()
        next()
      }
    },
    /** Delivers what is late, in order. */
    async deliverLate(): Promise<void> {
      const messages = late
      late = []
      for (const message of messages) await deliver(message).catch(() => undefined)
    },
    /** Stands in for `fetch` of the relays, the browsers and the delegate. */
    async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
      const request = new Request(input, { ...init, signal: null })
      const depth = running.length
      const message = readMessage(request, await request.text())
      if (isDead(message) || limit.isReached()) return hang()
      const settled = await send(message).then(
        response => ({ response }),
        (error: unknown) => ({ error }),
      )
      await ownTurn(depth)
      if (isDead(message)) return hang()
      if ('error' in settled) throw settled.error
      return settled.response
    },
  }
}

function lie({ code }: Extract<Fault, { readonly what: 'lie' }>): Response {
  const body = JSON.stringify({ code, message: 'No.', details: { epoch: 7 } })
  return new Response(body, { status: getStatus(code), headers: { 'content-type': 'application/json' } })
}
