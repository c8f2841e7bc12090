import { readAll } from './env.js'
import { exitAfterOutput } from './exit.js'
import { type Mode, readMode, requireSandbox } from './mode.js'
import { findSettingProblems, readSecretFiles, type Settings } from './settings.js'
import type { StartUpOptions } from './start-up.js'
import { wantsTracing } from './tracing/tracing.js'

export interface RunningService {
  /** URL for browsers. */
  readonly url: string
  stop(): Promise<void>
}

function failing(name: string) {
  return (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    // Errors of the system or a driver do not name the service.
    process.stderr.write(`${why.startsWith(name) ? why : `${name}: ${why}`}\n`)
    exitAfterOutput(1)
  }
}

/** Runs an operator's command, and says what came of it. @param name of the service */
export async function runCommand(name: string, work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`)
  } catch (error) {
    failing(name)(error)
  }
}

/** Options that a program gives to its service, next to the service's own. */
export type StartOptions = Pick<StartUpOptions, 'mode' | 'invalid' | 'unsafe'> & { readonly isTraced: boolean }

/** A service with the table of its settings. */
export interface Program<Options extends object> {
  readonly name: string
  /** Settings that production needs or refuses. */
  readonly settings: Settings<Options>
  /** Reads the options; throws SettingError for an invalid variable. */
  readonly read: (env: NodeJS.ProcessEnv) => Options
  /** @param env with the secrets of files */
  readonly start: (options: Options & StartOptions, env: NodeJS.ProcessEnv) => Promise<RunningService>
}

/**
 * Runs a service as a program, in production unless the command line says `--sandbox`. One error names every
 * variable that is missing, invalid or unsafe.
 * @example await runService({ name: 'custody', settings: SETTINGS, read: optionsFromEnv, start: startCustody })
 */
export function runService<Options extends object>(program: Program<Options>): Promise<void> {
  return runUntilStopped(program.name, async () => startService(program, { mode: readMode(), env: process.env }))
}

/**
 * Reads a program's options, with the secrets of files, and finds the variables that are invalid, missing or unsafe in
 * production.
 */
export function readProgram<Options extends object>(
  { settings, read }: Pick<Program<Options>, 'settings' | 'read'>,
  given: NodeJS.ProcessEnv,
) {
  const { env, problems } = readSecretFiles(given, settings)
  const { options, problems: wrong } = readAll(env, read)
  return { env, options, invalid: [...problems, ...wrong], unsafe: findSettingProblems(env, settings, options) }
}

/** Starts a program's service in this process. @throws StartUpError that lists all problems */
export async function startService<Options extends object>(
  program: Program<Options>,
  { mode, env: given }: { readonly mode: Mode; readonly env: NodeJS.ProcessEnv },
): Promise<RunningService> {
  const { env, options, invalid, unsafe } = readProgram(program, given)
  const started = {
    ...options,
    mode,
    invalid,
    unsafe: mode === 'production' ? unsafe : [],
    isTraced: wantsTracing(env),
  }
  return program.start(started, env)
}

/**
 * Runs a program that exists only in the sandbox.
 * @param reason why it is unsafe in production, and what to use there
 * @example await runStandIn('inbox', 'It shows every mail to anyone on this machine.', () => startInbox(options))
 */
export function runStandIn(name: string, reason: string, start: () => Promise<RunningService>): Promise<void> {
  return runUntilStopped(name, async () => {
    requireSandbox(name, reason)
    return start()
  })
}

/**
 * Runs a service alone, or as a child of `npm start`, which waits for its ready message. Exits with code 0 after a
 * requested stop, with 1 when the service cannot start or stop.
 */
async function runUntilStopped(name: string, start: () => Promise<RunningService>): Promise<void> {
  const fail = failing(name)
  try {
    const starting = start()
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      starting.then(service => service.stop()).then(() => exitAfterOutput(0), fail)
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    // A parent that dies without a signal also closes its channel.
    process.on('disconnect', stop)
    const { url } = await starting
    process.stdout.write(`${name} ready ${url}\n`)
    process.send?.({ type: 'ready', name, url })
  } catch (error) {
    fail(error)
  }
}
