/** Runs the body of a command, which fails with one sentence that says what to do. Needs no package and no file of the repository. */

/** A problem that the user can fix: shown without a stack trace. */
export class Advice extends Error {
  /** @override */
  name = 'Advice'
}

const oldest = { major: 20, minor: 19 }

/**
 * Runs a command's body; an error ends the process with code 1.
 * @param {() => Promise<number | void>} body returns the exit code
 */
export async function command(body) {
  try {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
      throw new Advice(
        `Node ${process.versions.node} is too old: install Node ${oldest.major}.${oldest.minor} or newer.`,
      )
    process.exitCode = (await body()) ?? 0
  } catch (error) {
    console.error(error instanceof Advice ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
