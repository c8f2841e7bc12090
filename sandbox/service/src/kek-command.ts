/**
 * Key-encryption key that a command holds, such as a client of an HSM or KMS: this program never sees the key. The
 * command is run without a shell for each data key, reads one JSON object from stdin and writes one to stdout:
 * - `{ action: 'describe' }` → `{ keyIds }`: the key that wraps first, then others that unwrap;
 * - `{ action: 'wrap', context, dataKey }` → `{ keyId, wrapped }`;
 * - `{ action: 'unwrap', context, keyId, wrapped }` → `{ dataKey }`.
 * `dataKey` and `wrapped` are base64url; `context` names the secret, and the command should bind `wrapped` to it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { Gate } from './database/gate.js'

const TIMEOUT_MS = 5_000
const MAX_OUTPUT_BYTES = 16 * 1024
const MAX_RUNNING = 8
/** Time that a run waits for its place, in ms: the transaction around it may be idle for 30 s. */
const WAIT_MS = 10_000
/** How long an answer of `ready` counts, so that health checks do not start a process each. */
const READY_FOR_MS = 5_000

const DATA_KEY_BYTES = 32

const bytes = v.pipe(
  v.string(),
  v.regex(/^[\w-]+$/),
  v.transform(text => new Uint8Array(Buffer.from(text, 'base64url'))),
)
const keyId = v.pipe(v.string(), v.minLength(1), v.maxLength(256))
const described = v.object({ keyIds: v.pipe(v.array(keyId), v.minLength(1), v.maxLength(16)) })
const wrappedAnswer = v.object({ keyId, wrapped: v.pipe(bytes, v.maxLength(4096)) })
const unwrappedAnswer = v.object({ dataKey: v.pipe(bytes, v.length(DATA_KEY_BYTES)) })

/** Failure of the command. The message quotes nothing that the command wrote. */
export class KekCommandError extends Error {
  override readonly name = 'KekCommandError'
}

export interface KekCommandOptions {
  /** Program and its arguments. */
  readonly argv: readonly string[]
  /** Name of the environment variable, for errors. */
  readonly variable: string
  /** Time that a run may take, in ms. Default 5 s. */
  readonly timeoutMs?: number
  /** Current time, in ms. */
  readonly now?: () => number
}

/** The command, after it has said which keys it holds and has wrapped and unwrapped a test key. */
export interface KekCommand {
  readonly variable: string
  /** The key that wraps, then others that unwrap. */
  readonly keyIds: readonly string[]
  /** Wraps under the first key, and unwraps again before it returns, because a wallet under a key that does not open is lost. */
  wrap(dataKey: Uint8Array, context: string): Promise<Uint8Array>
  unwrap(keyId: string, wrapped: Uint8Array, context: string): Promise<Uint8Array>
  /** @throws KekCommandError when the command does not answer, or holds another first key than at the start */
  ready(): Promise<void>
}

/**
 * Reads a command: a JSON array of strings, or words between spaces. Neither goes through a shell.
 * @example readCommand('["/usr/local/bin/kms", "--key", "alias/custody"]') // also: /usr/local/bin/kms --key alias/custody
 * @returns undefined for a text that is no command
 */
export function readCommand(text: string): readonly string[] | undefined {
  const argv = v.pipe(
    v.array(v.string()),
    v.minLength(1),
    v.check(([program]) => program !== ''),
  )
  const list = text.trim().startsWith('[') ? v.pipe(v.string(), v.parseJson(), argv) : argv
  const read = v.safeParse(list, list === argv ? text.trim().split(/\s+/) : text)
  return read.success ? read.output : undefined
}

/** Ends the command with its children, such as the program that a shell script runs. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}

/**
 * Runs the command once.
 * @returns what it wrote to stdout
 * @throws Error with the reason, without the command's output or arguments
 */
function execute([file = '', ...args]: readonly string[], timeoutMs: number, request: object): Promise<string> {
  return new Promise((resolve, reject) => {
    // Detached: it leads a process group of its own.
    const child = spawn(file, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
    const fail = (problem: string) => {
      clearTimeout(timer)
      // Its end must not end the group again, whose number the system may have given away by then.
      child.removeAllListeners('close')
      endGroup(child)
      child.stdout.destroy()
      reject(new Error(problem))
    }
    const timer = setTimeout(() => fail(`took longer than ${timeoutMs / 1000} s`), timeoutMs)
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      const size = chunks.reduce((sum, { length }) => sum + length, 0)
      if (size > MAX_OUTPUT_BYTES) fail(`wrote more than ${MAX_OUTPUT_BYTES / 1024} KiB`)
    })
    child.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be started (${error.code})`))
    child.on('close', (code, signal) => {
      if (code !== 0) return fail(code === null ? `was ended by ${signal}` : `ended with code ${code}`)
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).toString())
    })
    // A command that ends early closes its stdin; its exit code says why.
    child.stdin.on('error', () => undefined).end(JSON.stringify(request))
  })
}

/** Returns a function that runs the command on a request, a few at once. */
function createRunner({ argv, variable, timeoutMs = TIMEOUT_MS }: KekCommandOptions) {
  const gate = new Gate(MAX_RUNNING, WAIT_MS)
  const fail = (problem: string) => new KekCommandError(`${variable} ${problem}`)
  const run = (request: object) =>
    execute(argv, timeoutMs, request).catch((error: Error) => Promise.reject(fail(error.message)))
  return async <S extends v.GenericSchema>(request: object, schema: S): Promise<v.InferOutput<S>> => {
    const text = await gate
      .run(() => run(request))
      .catch((error: unknown) => {
        throw error instanceof KekCommandError ? error : fail(`had no place free within ${WAIT_MS / 1000} s`)
      })
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
    if (!answer.success) throw fail('gave an answer that cannot be read')
    return answer.output
  }
}

/**
 * Starts to use a command: it must describe its keys, and wrap and unwrap a test key.
 * @throws KekCommandError
 * @example const command = await openKekCommand({ argv: ['/usr/local/bin/kms'], variable: 'CUSTODY_KEK_COMMAND' })
 */
export async function openKekCommand(options: KekCommandOptions): Promise<KekCommand> {
  const { variable, now = Date.now } = options
  const run = createRunner(options)
  const { keyIds } = await run({ action: 'describe' }, described)
  const [first = ''] = keyIds
  const unwrap = async (id: string, wrapped: Uint8Array, context: string) => {
    const request = { action: 'unwrap', context, keyId: id, wrapped: Buffer.from(wrapped).toString('base64url') }
    return (await run(request, unwrappedAnswer)).dataKey
  }
  const wrap = async (dataKey: Uint8Array, context: string) => {
    const request = { action: 'wrap', context, dataKey: Buffer.from(dataKey).toString('base64url') }
    const { keyId: usedId, wrapped } = await run(request, wrappedAnswer)
    if (usedId !== first) throw new KekCommandError(`${variable} wrapped with another key than the first of its keys`)
    const opened = await unwrap(first, wrapped, context)
    const isSame = Buffer.from(opened).equals(dataKey)
    opened.fill(0)
    if (!isSame) throw new KekCommandError(`${variable} does not unwrap what it wraps`)
    return wrapped
  }
  await wrap(randomBytes(DATA_KEY_BYTES), 'test')
  let checked = { at: now(), result: Promise.resolve() }
  const check = async () => {
    const { keyIds: current } = await run({ action: 'describe' }, described)
    if (current[0] !== first) throw new KekCommandError(`${variable} holds another first key than at the start`)
  }
  return {
    variable,
    keyIds,
    wrap,
    unwrap,
    ready() {
      const age = now() - checked.at
      if (age < 0 || age >= READY_FOR_MS) checked = { at: now(), result: check() }
      return checked.result
    },
  }
}
