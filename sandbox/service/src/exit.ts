/** How long a reader of the output may keep a program from its end, in ms. */
const READER_TIMEOUT_MS = 5_000

/**
 * Ends the process when its pipes have taken all output. `process.exit` alone drops what does not fit into a pipe,
 * 64 KiB, while its reader is busy.
 * @example exitAfterOutput(1)
 */
export function exitAfterOutput(code: number): void {
  const end = () => process.exit(code)
  process.stdout.write('', () => process.stderr.write('', end))
  setTimeout(end, READER_TIMEOUT_MS).unref()
}
