import { expect, it } from 'vitest'
import { packages } from '../src/repo.mjs'
import { driverCasts } from '../src/rules/casts.mjs'
import { exits } from '../src/rules/exits.mjs'
import { findCycles, folderCycles } from '../src/rules/folders.mjs'
import { functionsInConstants, longFunctions, MAX_LINES } from '../src/rules/functions.mjs'
import { checkRules } from '../src/rules/index.mjs'
import { unsafeKeyPairs } from '../src/rules/key-pairs.mjs'
import { kernelProblems, layerProblems } from '../src/rules/layers.mjs'
import { emptyPackages, missingPackages, packageCycles } from '../src/rules/packages.mjs'
import { hastyTests } from '../src/rules/waits.mjs'
import { forbiddenWords } from '../src/rules/words.mjs'

function file(path: string, text: string) {
  return { path, text, isCode: !path.endsWith('.md'), isTest: path.includes('/test/') }
}

function pack(folder: string, dependencies: Record<string, string> = {}) {
  const id = folder.slice(folder.lastIndexOf('/') + 1)
  const name = folder.startsWith('sandbox/') ? `@keybay/sandbox-${id}` : `@keybay/${id}`
  return { folder, id, name, published: true, manifest: { name, version: '1.0.0', dependencies } }
}

it('finds no problem in this repository', () => {
  expect(checkRules()).toEqual([])
})

it('finds an import from a lower layer into a higher one', () => {
  const all = ['kernel', 'plugins/solana', 'sandbox/service', 'sandbox/api', 'sandbox/testing'].map(folder =>
    pack(folder),
  )
  const allowed = file('sandbox/api/src/a.ts', `import '@keybay/sandbox-service'; import '@keybay/solana'`)
  expect(layerProblems(all, [allowed])).toEqual([])
  const service = file('sandbox/service/src/a.ts', `import '@keybay/sandbox-api'`)
  const api = file('sandbox/api/src/b.ts', `import { launch } from '@keybay/sandbox-testing/browser'`)
  expect(layerProblems(all, [service, api])).toEqual([
    'sandbox/service/src/a.ts imports @keybay/sandbox-api, of a higher layer (services)',
    'sandbox/api/src/b.ts imports @keybay/sandbox-testing/browser, of a higher layer (measuring and testing)',
  ])
})

it('refuses workspace imports in kernel/spec, and in services every kernel import except kernel/spec', () => {
  const allowed = [
    file('kernel/src/spec/a.ts', `import './b.js'`),
    file('sandbox/relay/src/a.ts', `import '@keybay/kernel/spec'`),
  ]
  expect(kernelProblems(allowed)).toEqual([])
  const broken = [
    file('kernel/src/spec/a.ts', `import '../errors.js'; import 'bs58'`),
    file('kernel/src/spec/b.ts', `import '@keybay/solana'`),
    file('sandbox/frame/src/page/a.ts', `import '@keybay/kernel'`),
    file('sandbox/service/src/a.ts', `import '@keybay/kernel/http'`),
  ]
  expect(kernelProblems(broken)).toHaveLength(4)
})

it('finds import cycles between folders, but not cycles of type imports', () => {
  const http = file('sandbox/api/src/http/app.ts', `import { routes } from '../routes/index.js'`)
  const types = file('sandbox/api/src/routes/a.ts', `import type { App } from '../http/app.js'`)
  expect(folderCycles(['sandbox/api'], [http, types])).toEqual([])
  const value = file('sandbox/api/src/routes/b.ts', `import { type App, fail } from '../http/errors.js'`)
  const [problem] = folderCycles(['sandbox/api'], [http, types, value])
  expect(problem).toContain('sandbox/api/src: http, routes import each other in a cycle')
  expect(problem).toContain('sandbox/api/src/routes/b.ts imports ../http/errors.js')
})

it('finds each group of nodes that reach each other once', () => {
  const graph = new Map(Object.entries({ a: 'b', b: 'c', c: 'a', d: 'a' }).map(([from, to]) => [from, new Set([to])]))
  expect(findCycles(graph).map(group => [...group].sort())).toEqual([['a', 'b', 'c']])
})

it('finds a long function, but not a long group of tests', () => {
  const lines = '\n'.repeat(MAX_LINES)
  expect(longFunctions([file('kernel/src/a.ts', `function short() {}\nfunction long() {${lines}}`)])).toEqual([
    `kernel/src/a.ts:2: a function of ${MAX_LINES + 1} lines (at most ${MAX_LINES})`,
  ])
  const group = `describe('a', () => {${lines}})\ndescribe.each([1])('b', () => {${lines}})`
  expect(longFunctions([file('kernel/test/a.test.ts', group)])).toEqual([])
})

it('finds a function that is assigned to a top-level constant', () => {
  const text = `export const a = async () => {}\nconst b: Listener = () => {}\nfunction c() { const d = () => {} }`
  expect(functionsInConstants([file('kernel/src/a.ts', text)])).toEqual([
    'kernel/src/a.ts:1: write it as a function declaration',
  ])
})

it('finds an exit that cuts the output, and the line', () => {
  const text = 'write(report)\nprocess.exit(0)'
  expect(exits([file('kernel/src/a.ts', text), file('kernel/test/b.ts', text)])).toEqual([
    'kernel/src/a.ts:2: process.exit cuts the output; set process.exitCode, or call exitAfterOutput',
  ])
})

it('finds a generated key whose export can hang', () => {
  const generate = 'generateKeyPairSync'
  const text = `${generate}('ed25519')\n${generate}('rsa', { privateKeyEncoding: pem, publicKeyEncoding: pem })`
  expect(unsafeKeyPairs([file('sandbox/api/src/a.ts', text)])).toEqual([
    'sandbox/api/src/a.ts:1: such a key can hang its export: use newKeyPair',
  ])
})

it('finds casts that the driver of PostgreSQL reads differently', () => {
  const text = 'select $1::text::boolean, $2::bigint\nwhere $3::boolean'
  expect(driverCasts([file('sandbox/api/src/a.ts', text)])).toEqual([
    'sandbox/api/src/a.ts:2: “$3::boolean”: cast from text, ::text::boolean',
  ])
})

it('finds a test that reads a page once, or waits only for a second', () => {
  const wait = 'await vi.waitFor'
  const text = `await button.click()
expect(await list.getByRole('listitem').count()).toBe(2)
expect(await device.count(user)).toBe(1)
${wait}(() => expect(sent()).toBe(1), { timeout: 10_000 })
${wait}(() => expect(sent()).toBe(1))`
  expect(hastyTests([file('sandbox/testing/test/a.test.ts', text), file('sandbox/testing/src/a.ts', text)])).toEqual([
    'sandbox/testing/test/a.test.ts:2: the page may still change: use expect.poll',
    'sandbox/testing/test/a.test.ts:5: a busy machine needs more than a second: use expect.poll',
  ])
})

it('finds forbidden words, and the line of each', () => {
  const text = 'The API hears.\nNobody answers a telephone.'
  expect(forbiddenWords([file('README.md', text)])).toEqual([
    'README.md:2: “telephone”: say phone',
    'README.md:2: “Nobody”: say the actor: user, app, wallet, relay, server',
  ])
})

it('finds an agreed package that is not imported or not declared', () => {
  const agreed = new Map([['bs58', 'plugins/solana']])
  const manifest = { name: '', version: '', devDependencies: { vitest: '4', turbo: '2' } }
  const solana = pack('plugins/solana', { bs58: '6.0.0' })
  const used = file('plugins/solana/src/a.ts', `import bs58 from 'bs58'`)
  expect(missingPackages([solana], [used], manifest, agreed)).toEqual([])
  expect(missingPackages([solana], [], manifest, agreed)).toHaveLength(1)
  expect(missingPackages([pack('plugins/solana')], [used], manifest, agreed)).toHaveLength(1)
  expect(missingPackages([solana], [used], { name: '', version: '' }, agreed)).toHaveLength(2)
})

it('finds a package without code', () => {
  expect(emptyPackages([pack('kernel')], [file('kernel/test/a.test.ts', '')])).toEqual(['kernel has no code'])
  expect(emptyPackages(packages(), [])).toHaveLength(packages().length)
})

it('finds cycles of test dependencies between packages, and a task that hides a cycle', () => {
  const account = pack('plugins/account')
  const api = pack('sandbox/api', { '@keybay/account': '1.0.0' })
  expect(packageCycles([account, api], { tasks: { build: { dependsOn: ['^build'] } } })).toEqual([])
  const manifest = { ...account.manifest, devDependencies: { '@keybay/sandbox-api': '1.0.0' } }
  const tasks = { '@keybay/account#build': { dependsOn: ['@keybay/kernel#build'] } }
  expect(packageCycles([{ ...account, manifest }, api], { tasks })).toEqual([
    'packages need each other in a cycle: @keybay/account, @keybay/sandbox-api',
    'turbo.json: @keybay/account#build names its own dependencies, which hides a cycle',
  ])
})
