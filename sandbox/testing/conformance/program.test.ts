/** The command on a small repository, with the real turbo, vitest and pipes. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRows } from './main.mjs'
import type { Result } from './proof.mjs'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds a repository whose only tests are these; the key is the path of the file. */
function createRepository(tests: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  const folders = [...new Set(Object.keys(tests).map(path => path.split('/')[0]))]
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const path of ['sandbox/tools', 'sandbox/testing/conformance'])
    cpSync(join(repository, path), join(root, path), { recursive: true, filter: from => !from.includes('.reports') })
  mkdirSync(join(root, 'node_modules/@keybay'), { recursive: true })
  symlinkSync(join(root, 'sandbox/tools'), join(root, 'node_modules/@keybay/sandbox-tools'))
  for (const name of ['turbo', '@turbo', 'vitest']) {
    const path = join(repository, 'node_modules', name)
    symlinkSync(path, join(root, 'node_modules', name))
  }
  // They tell `npm run conformance` that everything is installed.
  for (const path of ['package-lock.json', 'node_modules/.package-lock.json'])
    symlinkSync(join(repository, path), join(root, path))
  const { packageManager } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  write('package.json', JSON.stringify({ name: 'small', packageManager, workspaces: folders }))
  const { tasks, ...settings } = JSON.parse(readFileSync(join(repository, 'turbo.json'), 'utf8'))
  write(
    'turbo.json',
    JSON.stringify({ ...settings, tasks: { build: tasks.build, test: tasks.test, 'test:faults': {} } }),
  )
  write('vitest.config.mjs', `export default { test: { projects: ${JSON.stringify(folders)} } }`)
  for (const name of folders) {
    const scripts = { test: 'node ../sandbox/tools/src/vitest.mjs' }
    write(`${name}/package.json`, JSON.stringify({ name: `@keybay/${name}`, version: '1.0.0', scripts }))
    write(`${name}/vitest.config.mjs`, `export default { test: { name: '${name}' } }`)
  }
  write('.gitignore', '.reports/\nnode_modules/\n.turbo/\n')
  for (const [path, content] of Object.entries(tests)) write(path, `import { it } from 'vitest'\n${content}`)
  return root
}

/** Runs the tests of a repository as `npm test` does; failures are part of the play. */
function runTests(root: string): string {
  const script = `const { turbo } = await import('${join(root, 'sandbox/tools/src/build.mjs')}')
    await turbo('test', ['--continue=always', '--cache-dir=${join(root, '.turbo')}', ...process.argv.slice(1)])`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })
}

function prove(root: string): Result {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'sandbox/testing/conformance/main.mjs'), '--json'],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

function listProved(result: Result): readonly string[] {
  return Object.entries(result).flatMap(([id, row]) => (row.proved ? [id] : []))
}

describe('the conformance command', { timeout: 120_000 }, () => {
  const NUMBERS = 'const rows = ["S5.4", "S5.5", "S5.6"]'
  let root: string
  beforeAll(() => {
    root = createRepository({
      'kernel/test/a.test.ts': `
        ${NUMBERS}
        for (const id of rows) it(\`[\${id}] passes\`, () => {})
        it('[S5.4] fails', () => { throw new Error('no') })
        it.skip('[S5.5] is skipped', () => {})
        it.todo('[S5.1] comes later')
        it('[S5.1] passes', () => {})
        it('[S5.8] passes', () => {})
        it('[S2.7] connect', () => {})`,
      'react/test/b.test.ts': `
        it('[S5.9] passes', () => {})
        it('[S5.10] passes', () => {})`,
      'react/test/c.test.ts': `
        import './nowhere.js'
        it('[S5.10] never runs', () => {})`,
      'react/test/d.test.ts': `
        import { afterAll } from 'vitest'
        it('[S5.11] passes', () => {})
        afterAll(() => { throw new Error('late') })`,
      'account/test/e.test.ts': `it('[S5.12] passes', () => { Promise.reject(new Error('late')) })`,
      'kernel/test/f.test.ts': `for (let i = 0; i < 1000; i++) it(\`[S5.13] \${i} ${'x'.repeat(400)}\`, () => {})`,
    })
    runTests(root)
  }, 120_000)

  it('counts a row only if no test of it failed, was skipped, is to do, or could not be loaded, and its run had no error outside of its tests', () => {
    const result = prove(root)
    expect(listProved(result)).toEqual(['S5.6', 'S5.8', 'S5.9', 'S5.13'])
    expect(result['S5.4']?.problems).toEqual(['failed: [S5.4] fails'])
    expect(result['S5.5']?.problems).toEqual(['skipped: [S5.5] is skipped'])
    expect(result['S5.1']?.problems).toEqual(['todo: [S5.1] comes later'])
    expect(result['S5.10']?.problems).toEqual(['no result of this state: react/test/c.test.ts'])
    expect(result['S5.11']?.problems).toEqual([expect.stringContaining('its run failed outside of the tests')])
    expect(result['S5.12']?.problems).toEqual([expect.stringContaining('its run failed outside of the tests')])
    expect(result['S2.7']?.problems).toContain('no passing test of: disconnect')
  })

  it('counts a result only while its inputs are unchanged: own sources, and those of a cached result', () => {
    const copy = createRepository({
      'kernel/test/a.test.ts': "it('[S5.4] passes', () => {})",
      'react/test/b.test.ts': "it('[S5.5] passes', () => {})",
    })
    runTests(copy)
    expect(listProved(prove(copy))).toEqual(['S5.4', 'S5.5'])
    // The second run takes its results from the cache.
    runTests(copy)
    expect(listProved(prove(copy))).toEqual(['S5.4', 'S5.5'])
    writeFileSync(join(copy, 'kernel/source.js'), 'throw new Error("no")')
    const changed = prove(copy)
    expect(listProved(changed)).toEqual(['S5.5'])
    expect(changed['S5.4']?.problems).toContain('no result of this state: kernel/test/a.test.ts')
    // Adds a setting of all tests.
    writeFileSync(join(copy, 'tsconfig.base.json'), '{}')
    expect(listProved(prove(copy))).toEqual([])
  })

  it('does not count a run without turbo, which may have left out tests', () => {
    const copy = createRepository({ 'kernel/test/a.test.ts': "it('[S5.4] passes', () => {})" })
    execFileSync(process.execPath, [join(copy, 'sandbox/tools/src/vitest.mjs')], { cwd: join(copy, 'kernel') })
    expect(listProved(prove(copy))).toEqual([])
  })

  it('says to run npm test first when there are no test reports', () => {
    const path = join(createRepository({}), 'sandbox/testing/conformance/main.mjs')
    const { status, stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, 'There is no test report yet: run npm test first.\n'])
  })

  it('writes all of its output into a pipe with a slow reader', () => {
    const reader = `let size = 0; const { readSync, writeSync } = require('fs'); const wait = new Int32Array(new SharedArrayBuffer(4))
      const parts = []; const part = Buffer.alloc(4096)
      for (let n; (n = readSync(0, part)) > 0; Atomics.wait(wait, 0, 0, 1)) parts.push(part.toString('utf8', 0, n))
      const result = JSON.parse(parts.join('')); console.log(Object.keys(result).length, result['S5.13'].tests.length)`
    const command = `"${process.execPath}" sandbox/tools/src/conformance.mjs --json | "${process.execPath}" -e "$READER"`
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, READER: reader },
    })
    expect(stderr).toBe('')
    expect(stdout).toBe(`${Object.keys(readRows()).length} 1000\n`)
  })
})
