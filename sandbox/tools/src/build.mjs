/** `npm run build`: builds every package with turbo, which caches packages that did not change. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Advice, command, runTool } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './repo.mjs'

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
      KEYBAY_NODE: process.versions.node,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      TURBO_PRINT_VERSION_DISABLED: '1',
    },
  })
}

/**
 * Compiles and bundles. It does not check types, which takes as long again: `compile` does.
 * @param {readonly string[]} [names] packages to build, with their dependencies; all by default
 * @throws {Advice} if a package does not build
 */
export async function build(names = []) {
  console.info('Building …')
  // One compiler for all packages reads the types of libraries once; those of the packages then have nothing to do.
  if (!existsSync(join(root, 'kernel/dist'))) await compile('--noCheck')
  const { code } = await turbo('build', ['--output-logs=errors-only', ...names.map(name => `--filter=${name}`)])
  if (code !== 0) throw new Advice('The build failed: see the errors above.')
}

/** Compiles all packages, and checks their types. @param {readonly string[]} options of the compiler */
export function compile(...options) {
  return runTool('typescript/bin/tsc', ['-b', ...options])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  command(async () => {
    await ensureInstalled()
    await build()
  })
