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
    process.exit(1)
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

/**
 * Runs a service as a program: alone, or as a child of `npm start`, which waits for its ready message. Exits with
 * code 0 after a requested stop, with 1 when the service cannot start or stop.
 * @example await runService('inbox', () => startInbox(optionsFromEnv(process.env)))
 */
export async function runService(name: string, start: () => Promise<RunningService>): Promise<void> {
  const fail = failing(name)
  try {
    const starting = start()
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      starting.then(service => service.stop()).then(() => process.exit(0), fail)
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
