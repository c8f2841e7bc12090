/**
 * What the test files of one project share: a file starts it, the run ends it. Vitest's `isolate: false` keeps modules, and so
 * what they started, from file to file; this is the environment whose end is the end of them all.
 */

/** @type {(() => Promise<void> | void)[]} */
const ends = []

/**
 * Of a project with this environment.
 * @param {() => Promise<void> | void} end
 */
export function atEndOfRun(end) {
  Reflect.get(globalThis, KEY).push(end)
}

/** The environment has modules of its own. */
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
