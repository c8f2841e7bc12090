/** `npm run build`: writes every package's JavaScript and types, and bundles with turbo, which caches what did not change. */
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
 * Writes the JavaScript of all packages and bundles it: all that a program needs to run.
 * @param {readonly string[]} [names] packages to bundle, with their dependencies, but without what only tests need; all by default
 */
export async function bundle(names = []) {
  // Imported late: it uses Vite, which may just have been installed.
  const { transpile } = await import('./transpile.mjs')
  try {
    await transpile()
  } catch (error) {
    // It shows the place of a syntax error.
    console.error(error instanceof Error ? error.message : error)
    return { code: 1 }
  }
  const tasks = names.length > 0 ? ['build'] : ['build', 'build:tests']
  const options = ['--output-logs=errors-only', '--continue=dependencies-successful']
  return turbo(tasks, [...options, ...names.map(name => `--filter=${name}`)])
}

/** Bundles, and writes declarations without checking types, which takes as long again: `declare` does. */
export async function bundleAndDeclare() {
  const bundled = await bundle()
  return bundled.code === 0 ? declare('--noCheck') : bundled
}

/**
 * @param {typeof bundleAndDeclare} [how]
 * @throws {Advice} if a package does not build
 */
export async function build(how = bundleAndDeclare) {
  console.info('Building …')
  const { code } = await how()
  if (code !== 0) throw new Advice('The build failed: see the errors above.')
}

/** Checks the types of all packages and writes their declarations. @param {readonly string[]} options of the compiler */
export function declare(...options) {
  // The compiler is a Go program: collecting its garbage less often saves 2 s of processor time for 400 MB of memory.
  const env = { GOGC: '400', ...process.env }
  return runTool('typescript/bin/tsc', ['-b', '--emitDeclarationOnly', ...options], { env })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  command(async () => {
    await ensureInstalled()
    await build()
  })
