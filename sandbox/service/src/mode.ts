/** A service runs in production unless its command line says `--sandbox`. */
import { parseArgs } from 'node:util'
import { StartUpError } from './start-up.js'

/** `sandbox`: on a laptop, with made-up defaults and generated keys. `production`: every setting is the operator's. */
export type Mode = 'production' | 'sandbox'

/** Reads the mode from a program's arguments. @throws Error for any argument but `--sandbox` */
export function readMode(args: readonly string[] = process.argv.slice(2)): Mode {
  const { values } = parseArgs({ args: [...args], options: { sandbox: { type: 'boolean' } } })
  return values.sandbox ? 'sandbox' : 'production'
}

/**
 * Ends the start of a program that is only for the sandbox.
 * @param reason why it is unsafe in production, and what to run there: one or two sentences
 * @throws StartUpError without `--sandbox`
 */
export function requireSandbox(service: string, reason: string): void {
  if (readMode() === 'sandbox') return
  throw new StartUpError(service, [`${reason} On your own machine, start it with --sandbox.`])
}
