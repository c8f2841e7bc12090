import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

type Options = TestProjectInlineConfiguration['test']

/** True for `npm run test:quick`: unit and contract tests, without browsers, databases and killed processes. */
const isQuick = process.env.KEYBAY_QUICK === '1'

/** True for `npm run test:soak`: long searches, in files named `soak*.test.ts`, and the whole fault matrix. */
const isSoak = process.env.KEYBAY_SOAK === '1'

/** How long `expect.poll` waits; a result that comes earlier ends it at once. Vitest's own second is too short for a busy machine. */
const POLL_TIMEOUT_MS = 30_000

/** How long the end of a run may take to stop shared services; then Vitest exits, and would leave PostgreSQL running. */
const TEARDOWN_TIMEOUT_MS = 60_000

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

/** Files that a quick run leaves out: they start a browser, PostgreSQL, relays or a program, derive many keys, or search. */
const SLOW_FILES = [
  '**/chromium.test.ts',
  '**/*postgres*.test.ts',
  '**/{*killed*,program*,process,rotate*,search,start-up}.test.ts',
  'test/{client,frame,relay,simulate}/**',
]

const excluded = [...(isQuick ? SLOW_FILES : []), ...(isSoak ? [] : ['**/soak*.test.ts'])]

/** Built modules, which Node loads as they are: Vitest takes several times as long for all services. */
const BUILT = /\/dist\//

/** Defines one project per package folder, named after the folder: `npx vitest run --project kernel`. */
function project(folder: string, test: Options = {}): TestProjectInlineConfiguration {
  return {
    root: path(folder),
    test: {
      name: folder.split('/').at(-1) ?? folder,
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: excluded,
      expect: { poll: { timeout: POLL_TIMEOUT_MS } },
      // Files share their process, its modules and its page, which take a second to load.
      isolate: false,
      server: { deps: { external: [BUILT] } },
      ...test,
    },
  }
}

/**
 * Options for Chromium, services and child processes: one file at a time, after unit tests, with timeouts for a slow
 * machine.
 */
const heavy: Options = {
  fileParallelism: false,
  isolate: true,
  sequence: { groupOrder: 1 },
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

const END_OF_RUN = path('sandbox/tools/src/end-of-run.mjs')

/**
 * Options for files that share services and browsers, which take seconds to start: one process that stops them at its
 * end.
 */
const sharing: Options = {
  ...heavy,
  // Each wait inside a test times out earlier and names what it waited for.
  testTimeout: 240_000,
  isolate: false,
  environment: END_OF_RUN,
}

/** Takes as long as all other tests of `sandbox/frame`, so `npm test` schedules it separately. */
const FAULTS = 'test/fault-matrix.test.ts'

/** Tests of `sandbox/frame` without a browser. */
const FRAME_UNITS = 'test/{unit,relay,simulate}/**/*.test.ts'

/** Tests of `sandbox/frame` that replace modules, also built ones, or read all of the process's memory. */
const FRAME_ALONE = ['test/simulate/planted.test.ts', 'test/unit/signers.test.ts']

/** Options for real services in the test's own process, or real key derivation: with timeouts for a slow machine. */
const service: Options = { testTimeout: 30_000, hookTimeout: 30_000 }

/** Plugins of which each test file needs a page of its own: without wallets, frames and views of the file before. */
const PAGES_ALONE: readonly string[] = ['account', 'solana', 'waas', 'wallet-standard']

/** Tests of the kit's account client in `sandbox/api`. */
const API_CLIENT = 'test/account-client/**/*.test.{ts,tsx}'

/**
 * Runs the tests of `react` on React 18. Our built packages are inlined, so that their React imports are replaced too.
 */
const react18: TestProjectInlineConfiguration = {
  ...project('react', {
    name: 'react-18',
    server: { deps: { inline: [/@keybay\//, /\/(kernel|react)\/dist\//] } },
    setupFiles: [path('react/test/react-18.ts')],
    exclude: ['test/types.test.ts'],
  }),
  resolve: {
    alias: ['react-dom', 'react'].map(name => ({
      find: new RegExp(`^${name}(?=$|/)`),
      replacement: path(`node_modules/${name}-18`),
    })),
  },
}

function listPackages(parent: string): readonly string[] {
  return readdirSync(path(parent)).filter(name => existsSync(path(`${parent}/${name}/package.json`)))
}

const WITH_BROWSER: Readonly<Record<string, Options>> = {
  frame: { ...sharing, exclude: [FAULTS, FRAME_UNITS] },
  testing: sharing,
  wallets: { ...heavy, isolate: false },
  app: { ...heavy, isolate: false },
  bench: heavy,
  tools: heavy,
  create: heavy,
  docs: heavy,
  operate: { ...heavy, isolate: false },
}

/** Projects where nearly every test uses the running service and its database, with their options. */
const WITH_DATABASE: Readonly<Record<string, Options>> = {
  api: { ...service, exclude: [API_CLIENT, ...excluded], environment: END_OF_RUN },
  relay: { ...service, environment: END_OF_RUN },
  custody: { ...service, testTimeout: 120_000, hookTimeout: 180_000, environment: END_OF_RUN },
}

const quick = [
  project('kernel'),
  project('react'),
  react18,
  project('sandbox/frame', {
    ...service,
    name: 'frame-units',
    include: [FRAME_UNITS],
    exclude: [...FRAME_ALONE, ...excluded],
    environment: END_OF_RUN,
  }),
  project('sandbox/frame', { ...service, name: 'frame-alone', include: FRAME_ALONE, isolate: true, server: {} }),
  ...(isQuick
    ? []
    : [project('sandbox/api', { ...service, name: 'api-client', include: [API_CLIENT], environment: END_OF_RUN })]),
  project('sandbox/testing', { name: 'conformance', include: ['conformance/*.test.ts'] }),
  project('sandbox/testing', { ...service, name: 'guides', include: ['guides/**/*.test.{ts,tsx}'] }),
  ...listPackages('plugins').map(name =>
    project(`plugins/${name}`, { ...service, isolate: PAGES_ALONE.includes(name) }),
  ),
  ...listPackages('sandbox')
    .filter(name => !(name in WITH_BROWSER) && !(isQuick && name in WITH_DATABASE))
    .map(name => project(`sandbox/${name}`, WITH_DATABASE[name] ?? service)),
]

const slow = [
  ...Object.entries(WITH_BROWSER).map(([name, options]) => project(`sandbox/${name}`, options)),
  project('sandbox/frame', { ...sharing, name: 'fault-matrix', include: [FAULTS] }),
]

export default defineConfig({
  test: { projects: isQuick ? quick : [...quick, ...slow], teardownTimeout: TEARDOWN_TIMEOUT_MS },
})
