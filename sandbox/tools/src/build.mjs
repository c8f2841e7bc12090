/** `npm run build`: compiles every package, and bundles with turbo, which caches packages that did not change. */
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Advice, command, runTool } from './command.mjs'
import { ensureInstalled } from './install.mjs'

/** Has an `npm` that only runs scripts, which turbo finds first. */
export const SCRIPTS = join(import.meta.dirname, 'scripts')

/**
 * @param {string | readonly string[]} tasks
 * @param {readonly string[]} args
 * @param {Parameters<typeof runTool>[2]} [options]
 */
export function turbo(tasks, args, { env = process.env, ...options } = {}) {
  return runTool('turbo/bin/turbo', ['run', ...[tasks].flat(), '--ui=stream', '--log-order=grouped', ...args], {
    ...options,
    // A result from one Node version is not valid for another, so the version is part of the cache key (turbo.json).
    env: {
      ...env,
      PATH: [SCRIPTS, env.PATH].join(delimiter),
      KEYBAY_NODE: process.versions.node,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      TURBO_PRINT_VERSION_DISABLED: '1',
    },
  })
}

/**
 * Compiles and bundles. It does not check types, which takes as long again: `compile` does.
 * @param {readonly string[]} [names] packages to bundle, with their dependencies, but without what only tests need; all by default
 */
export async function compileAndBundle(names = []) {
  // One compiler for all packages reads the types of libraries once.
  const compiled = await compile('--noCheck')
  if (compiled.code !== 0) return compiled
  const tasks = names.length > 0 ? ['build'] : ['build', 'build:tests']
  const options = ['--output-logs=errors-only', '--continue=dependencies-successful']
  return turbo(tasks, [...options, ...names.map(name => `--filter=${name}`)])
}

/**
 * @param {readonly string[]} [names] as above
 * @throws {Advice} if a package does not build
 */
export async function build(names = []) {
  console.info('Building …')
  const { code } = await compileAndBundle(names)
  if (code !== 0) throw new Advice('The build failed: see the errors above.')
}

/** Compiles all packages, and checks their types. @param {readonly string[]} options of the compiler */
export function compile(...options) {
  // The compiler is a Go program: collecting its garbage less often saves 2 s of processor time for 400 MB of memory.
  return runTool('typescript/bin/tsc', ['-b', ...options], { env: { GOGC: '400', ...process.env } })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  command(async () => {
    await ensureInstalled()
    await build()
  })
