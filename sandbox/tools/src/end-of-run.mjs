/**
 * Shares resources between the test files of one project: a file starts a resource, the end of the run stops it.
 * Vitest's `isolate: false` keeps modules, and what they started, from file to file; this environment ends after all
 * files.
 */

/** @type {(() => Promise<void> | void)[]} */
const ends = []

/**
 * Registers a function to run at the end of the run, for projects with this environment.
 * @param {() => Promise<void> | void} end
 */
export function atEndOfRun(end) {
  Reflect.get(globalThis, KEY).push(end)
}

/** @returns {boolean} false in projects without this environment, where a test file stops what it starts */
export function hasEndOfRun() {
  return Reflect.has(globalThis, KEY)
}

/** A global symbol, because the environment has its own module instances. */
const KEY = Symbol.for('keybay.end-of-run')

/** @type {import('vitest/runtime').Environment} */
export default {
  name: 'keybay',
  viteEnvironment: 'ssr',
  setup() {
    Reflect.set(globalThis, KEY, ends)
    return {
      async teardown() {
        for (const end of ends.splice(0).reverse()) await end()
      },
    }
  },
}
