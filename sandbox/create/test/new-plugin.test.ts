import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@keybay/sandbox-tools/command'
import { dependencyProblems } from '@keybay/sandbox-tools/imports'
import { packages, readJson, root } from '@keybay/sandbox-tools/repo'
import { trackedFiles } from '@keybay/sandbox-tools/snippets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rename } from '../src/plugin.mjs'

/** Writable copy of the repository with the built packages, for the command under test. */
let copy: string

function link(name: string, target: string): void {
  const path = join(copy, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

async function runInCopy(file: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const { code, output } = await run(process.execPath, [join(copy, file), ...args], { cwd: copy, show: false })
  return { code, output }
}

function newPlugin(...args: string[]): Promise<{ code: number; output: string }> {
  return runInCopy('sandbox/tools/src/new-plugin.mjs', ...args, '--no-install')
}

function tool(file: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return runInCopy(join('node_modules', file), ...args)
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'keybay-'))
  for (const file of trackedFiles()) cpSync(join(root, file), join(copy, file))
  for (const { folder } of packages(copy))
    if (existsSync(join(root, folder, 'dist')))
      cpSync(join(root, folder, 'dist'), join(copy, folder, 'dist'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@keybay' && name !== '.cache') link(name, join(root, 'node_modules', name))
  for (const pkg of packages(copy)) link(pkg.name, join(copy, pkg.folder))
  execFileSync('git', ['init', '-q'], { cwd: copy })
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe.each([
  ['wallet', 'pay-later'],
  ['login', 'club'],
])('a new %s plugin', (kind, name) => {
  const folder = `plugins/${name}`

  it('a new plugin is written, formatted and registered', async () => {
    const { code, output } = await newPlugin(name, '--kind', kind)
    expect([code, output]).toEqual([0, expect.stringContaining(`npm test -- ${name}`)])
    for (const file of ['README.md', 'package.json', 'tsconfig.json', 'src/index.ts', 'src/version.ts'])
      expect([file, existsSync(join(copy, folder, file))]).toEqual([file, true])
    const { version } = readJson(join(root, 'kernel/package.json'))
    expect(readJson(join(copy, folder, 'package.json'))).toMatchObject({ name: `@keybay/${name}`, version })
    for (const file of ['tsconfig.json', 'tsconfig.test.json'])
      expect(readJson(join(copy, file)).references).toContainEqual({ path: folder })
    for (const file of readdirSync(join(copy, folder), { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toMatch(/acme|0\.0\.0/i)
    link(`@keybay/${name}`, join(copy, folder))
  })

  it('a new plugin builds, has no lint errors, and keeps the dependency rule', async () => {
    expect(await tool('typescript/bin/tsc', '-b', folder)).toEqual({ code: 0, output: '' })
    expect(await tool('@biomejs/biome/bin/biome', 'ci', '--log-level=error', folder)).toMatchObject({ code: 0 })
    expect(dependencyProblems(copy).filter(problem => problem.startsWith(folder))).toEqual([])
  })
})

// The wallet's tests are the same outside of this repository, where packed.test.ts runs them.
it('a new login passes its own tests, which start the product API', async () => {
  const report = join(copy, 'report.json')
  await tool('vitest/vitest.mjs', 'run', '--project=club', '--reporter=json', `--outputFile=${report}`)
  const { testResults, numPassedTests, success } = readJson(report)
  const files: readonly { assertionResults: readonly { failureMessages: readonly string[] }[] }[] = testResults
  expect(files.flatMap(file => file.assertionResults.flatMap(({ failureMessages }) => failureMessages))).toEqual([])
  expect(success).toBe(true)
  // Includes the conformance suite and the size budget.
  expect(numPassedTests).toBeGreaterThan(5)
}, 240_000)

it.each([
  [['Acme'], 'is no name for a plugin: use lower-case words'],
  [['a--b'], 'is no name for a plugin'],
  [['../evil'], 'is no name for a plugin'],
  [['x'.repeat(41)], 'is no name for a plugin'],
  [['session'], 'is a reserved word'],
  [['class'], 'is a reserved word'],
  [['solana'], 'There is a package @keybay/solana in plugins/solana already'],
  [['kernel'], 'is a reserved word'],
  [['acme-one', '--dir', 'elsewhere'], 'add "elsewhere/*" to "workspaces"'],
  [['acme-one', '--kind', 'bank'], '--kind is “bank”: use wallet or login'],
  [[], 'Give one name'],
  [['one', 'two'], 'Give one name'],
  [['acme-one', '--colour'], 'Usage: npm run new:plugin'],
])('new:plugin refuses %j, and says what to do', async (args, advice) => {
  const { code, output } = await newPlugin(...args)
  expect(code).toBe(1)
  expect(output).toContain(advice)
  expect(output).not.toContain('    at ')
})

it('new:plugin refuses a folder that already exists, even an empty folder', async () => {
  mkdirSync(join(copy, 'plugins/half-done'))
  expect(await newPlugin('half-done')).toEqual({
    code: 1,
    output: expect.stringContaining('plugins/half-done exists already'),
  })
})

it('new:plugin replaces every form of the template’s name with the plugin’s name', () =>
  expect(rename('acmeName AcmeNameOptions "acme-name" Acme Name', 'pay-later')).toBe(
    'payLater PayLaterOptions "pay-later" Pay Later',
  ))
