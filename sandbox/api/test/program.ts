/** A service as a program of its own, which a test starts, kills and reads. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Program {
  readonly child: ChildProcess
  /** Resolves once it is ready. @throws Error with its output when it ends before */
  ready(): Promise<void>
  /** Resolves when it has ended. */
  ended(): Promise<{ readonly code: number | null; readonly output: string }>
}

/** Starts `file` under Node. @param args for the program */
export function runProgram(file: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): Program {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (output += text))
  const closed = once(child, 'close').then(([code]) => ({ code, output }))
  const said = once(child, 'message')
  return {
    child,
    async ready() {
      const end = closed.then(({ code }) => Promise.reject(new Error(`It ended with code ${code}: ${output}`)))
      await Promise.race([said, end])
    },
    ended: () => closed,
  }
}

/** Ends a program that may have ended by itself. */
export async function endProgram(program: Program | undefined): Promise<void> {
  program?.child.kill('SIGKILL')
  await program?.ended()
}

/** Sends what nginx sends for a plain `proxy_pass`: the Host is the service's own, and no header says that a proxy was there. */
export function throughPlainProxy(port: number, path: string, method = 'POST'): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { connection: 'close', 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify({ advance: 3_600_000 }) }),
  })
}
