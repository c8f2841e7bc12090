import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

type Options = TestProjectInlineConfiguration['test']

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

/** One project per package folder, named by the folder: `npx vitest run --project kernel`. */
function project(folder: string, test: Options = {}): TestProjectInlineConfiguration {
  return {
    root: path(folder),
    test: { name: folder.split('/').at(-1) ?? folder, include: ['test/**/*.test.{ts,tsx}'], ...test },
  }
}

/** Chromium, services and child processes: one file at a time, after the unit tests, with patience for a slow machine. */
const heavy: Options = {
  fileParallelism: false,
  sequence: { groupOrder: 1 },
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

/** Their files share services and browsers, which take seconds to start: one process, whose end ends these too. */
const sharing: Options = {
  ...heavy,
  // What does not come is given up by the wait for it, which says what it was.
  testTimeout: 240_000,
  isolate: false,
  environment: path('sandbox/tools/src/end-of-run.mjs'),
}

/** Of `sandbox/frame`: tests without a browser. */
const FRAME_UNITS = 'test/{unit,relay}/**/*.test.ts'

/** Of `sandbox/frame`: it takes as long as all others of it. */
const FAULTS = 'test/fault-matrix.test.ts'

/** Real services in the test's own process, or real key derivation: with patience for a slow machine. */
const service: Options = { testTimeout: 30_000, hookTimeout: 30_000 }

/** The tests of `react` once more. Our built packages are inlined, so that their imports of React are replaced too. */
const react18: TestProjectInlineConfiguration = {
  ...project('react', { name: 'react-18', server: { deps: { inline: [/@keybay\//, /\/(kernel|react)\/dist\//] } } }),
  resolve: {
    alias: ['react-dom', 'react'].map(name => ({
      find: new RegExp(`^${name}(?=$|/)`),
      replacement: path(`sandbox/react-18/node_modules/${name}`),
    })),
  },
}

function inFolder(parent: string): readonly string[] {
  return readdirSync(path(parent)).filter(name => existsSync(path(`${parent}/${name}/package.json`)))
}
/** These have no files of their own: see their READMEs. */
const borrowing = ['react-18', 'fault-matrix']

function optionsOf(name: string): Options {
  if (name === 'frame') return { ...sharing, exclude: [FAULTS, FRAME_UNITS] }
  if (name === 'e2e') return sharing
  return ['wallets', 'app', 'bench', 'tools'].includes(name) ? heavy : service
}

export default defineConfig({
  test: {
    projects: [
      project('kernel'),
      project('react'),
      react18,
      project('sandbox/frame', { ...sharing, name: 'fault-matrix', include: [FAULTS] }),
      project('sandbox/frame', { ...service, name: 'frame-units', include: [FRAME_UNITS] }),
      ...inFolder('plugins').map(name => project(`plugins/${name}`, service)),
      ...inFolder('sandbox')
        .filter(name => !borrowing.includes(name))
        .map(name => project(`sandbox/${name}`, optionsOf(name))),
    ],
  },
})
