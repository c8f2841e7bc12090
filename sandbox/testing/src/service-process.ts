/** Runs a service as its own process, so that a test may kill it in the middle. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface ServiceProcess {
  /** Kills the process at once, as when the machine goes down. */
  kill(): Promise<void>
  /** Starts the service again at the same address, with its stored data. */
  start(): Promise<void>
  /** Moves the service's clock by this number of ms, until the test ends. */
  advanceClock(ms: number): Promise<void>
  resetClock(): Promise<void>
}
/** An interrupted run leaves no process behind. */
const ENDS_WITH_US = ['--import', import.meta.resolve('@keybay/sandbox-tools/orphan-guard')]

/**
 * @param main the program's file
 * @param port port that `env` makes it listen on
 * @param env variables that the README of the service lists
 */
export async function startServiceProcess(
  main: string,
  port: number,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  let child: ChildProcess | undefined
  const start = async () => {
    child = fork(main, { env: { ...env }, execArgv: ENDS_WITH_US, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${main} ended before it was ready.`)
    })
    await Promise.race([once(child, 'message'), ended])
  }
  let isMoved = false
  const clock = async (method: 'POST' | 'DELETE', body?: string) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}/admin/clock`, { method, headers, body: body ?? null })
    if (!response.ok) throw new Error(await response.text())
    isMoved = method === 'POST'
  }
  await start()
  return {
    start,
    advanceClock: ms => clock('POST', JSON.stringify({ advance: ms })),
    async resetClock() {
      if (isMoved) await clock('DELETE')
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
