/** Runs a service as a separate program, which a test can start, kill and read. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

export interface Program {
  readonly child: ChildProcess
  /** Resolves once the program is ready. @throws Error with its output if it ends first */
  ready(): Promise<void>
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

/** Starts a program that ends with the running test. */
export function startProgram(...args: Parameters<typeof runProgram>): Program {
  const program = runProgram(...args)
  onTestFinished(() => endProgram(program))
  return program
}

export async function endProgram(program: Program | undefined): Promise<void> {
  program?.child.kill('SIGKILL')
  await program?.ended()
}

/** Sends nginx's request with a plain `proxy_pass`: no header reveals the proxy. */
export function throughPlainProxy(port: number, path: string, method = 'POST'): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { connection: 'close', 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify({ advance: 3_600_000 }) }),
  })
}
