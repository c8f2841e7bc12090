/** A relay that a simulation kills and restarts: its process state is lost, its database stays. */
import { openClient, openPglite } from '@keybay/sandbox-service/database'
import { definition } from '../../src/db/open.js'
import { type Relay, type RelayOptions, startRelay } from '../../src/index.js'
import { connect, putBack, type Snapshot, takeSnapshot } from './database.js'

export { hang, type Snapshot } from './database.js'

type Options = Omit<RelayOptions, 'openDatabase' | 'port'>
type Value = string | number | null

export interface SimulatedRelay {
  /** Answers a request. Rejects if the process dies first, as a connection does. */
  fetch(request: Request): Promise<Response>
  /** Returns true if the process with this name, which its own requests carry, still runs. */
  isAlive(process: string): boolean
  /** Ends the process. The next request starts another. */
  kill(): void
  snapshot(): Promise<Snapshot>
  /** Ends the process and puts a snapshot of its database back. */
  restore(snapshot: Snapshot): Promise<void>
  sweep(): Promise<void>
  read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
}

export interface Simulation {
  /** Returns the options of a process. Its requests carry its name, so that a dead process reaches no party. */
  readonly getOptions: (process: string) => Options
  /** Called before each statement. @returns true to kill the process first */
  readonly onStatement: () => boolean
}

interface Process {
  readonly name: string
  readonly relay: Promise<Relay>
  readonly died: Promise<never>
  alive: boolean
  die(): void
}

/** Runs `act` without repeating timers, because a simulation sweeps by itself. */
async function withoutIntervals<T>(act: () => Promise<T>): Promise<T> {
  const real = globalThis.setInterval
  Reflect.set(globalThis, 'setInterval', () => undefined)
  try {
    return await act()
  } finally {
    globalThis.setInterval = real
  }
}

export async function openSimulatedRelay({ getOptions, onStatement }: Simulation): Promise<SimulatedRelay> {
  const client = await openPglite(undefined)
  let processes = 0
  let current: Process | undefined
  const kill = () => {
    current?.die()
    current = undefined
  }
  const start = (): Process => {
    let die = () => {}
    const died = new Promise<never>((_, reject) => {
      die = () => {
        started.alive = false
        // The error of `fetch` when a connection fails.
        reject(new TypeError('fetch failed'))
        relay.then(running => running.stop()).catch(() => undefined)
      }
    })
    died.catch(() => undefined)
    const gate = (): boolean => {
      if (started.alive && onStatement()) kill()
      return !started.alive
    }
    const open = async () => {
      await client.exec('deallocate all')
      return openClient(definition, connect(client, gate))
    }
    const name = `${++processes}`
    const relay = withoutIntervals(() => startRelay({ mode: 'sandbox', ...getOptions(name), openDatabase: open }))
    const started: Process = { name, relay, died, alive: true, die: () => die() }
    return started
  }
  const up = (): Process => {
    current ??= start()
    return current
  }
  return {
    kill,
    isAlive: name => current?.name === name && current.alive,
    async fetch(request) {
      const { relay, died } = up()
      const answered = relay.then(running => running.fetch(request))
      return Promise.race([answered, died])
    },
    snapshot: () => takeSnapshot(client),
    async restore(snapshot) {
      kill()
      await putBack(client, snapshot)
    },
    async sweep() {
      const { relay, died } = up()
      await Promise.race([relay.then(running => running.sweep()), died])
    },
    async read<Row>(sql: string, values: readonly Value[] = []) {
      return (await client.query<Row>(sql, [...values])).rows
    },
  }
}
