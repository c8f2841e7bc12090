import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages, readJson, root } from '../src/repo.mjs'

const all = packages()
/** Packages of the sandbox that developers outside of this repository use. */
const PUBLISHED_OF_SANDBOX = ['sandbox/wallet']
/** Operators run it as `npx @keybay/operate`. */
const OPERATORS_COMMAND = 'sandbox/operate'
const { version } = readJson(join(root, 'kernel/package.json'))

function read(...path: string[]): string {
  return readFileSync(join(root, ...path), 'utf8')
}

it('the repository has the packages of the architecture at its top level and nothing else', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter(
      entry => entry.isDirectory() && !entry.name.startsWith('.') && !['node_modules', 'results'].includes(entry.name),
    )
    .map(entry => entry.name)
  expect(folders.sort()).toEqual(['kernel', 'plugins', 'react', 'sandbox'])
})

describe.each(all)('$folder', ({ folder, id, name, published, manifest }) => {
  it('the package has a README that says what it is, in at most 120 lines below sandbox/', () => {
    expect(existsSync(join(root, folder, 'README.md'))).toBe(true)
    const readme = read(folder, 'README.md')
    expect(readme).toMatch(/^# \S.*\n+\S.{20,}/)
    if (folder.startsWith('sandbox/')) expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  it('the package is named after its folder, has the common version, and is under Apache-2.0', () => {
    const hasPrefix = folder.startsWith('sandbox/') && folder !== OPERATORS_COMMAND
    expect(name).toBe(hasPrefix ? `@keybay/sandbox-${id}` : `@keybay/${id}`)
    expect(manifest).toMatchObject({ version, license: 'Apache-2.0', type: 'module', description: expect.any(String) })
    expect(published).toBe(!folder.startsWith('sandbox/') || PUBLISHED_OF_SANDBOX.includes(folder))
  })

  it('the package has tests in test/ that its test script runs', () => {
    expect(manifest.scripts?.test).toMatch(/tools\/src\/vitest\.mjs( --project=\S+)*$/)
    const tests = join(root, folder, 'test')
    expect(readdirSync(tests, { recursive: true }).filter(file => /\.test\.tsx?$/.test(String(file)))).not.toEqual([])
  })

  it('the package depends on the other packages at exactly this version', () => {
    const needs = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    for (const [needed, range] of needs.filter(([needed]) => needed.startsWith('@keybay/')))
      expect([needed, range]).toEqual([needed, version])
  })
})

const compiled = all.filter(({ folder }) => existsSync(join(root, folder, 'tsconfig.json')))
it.each(compiled)('$folder is compiled with the packages that it depends on', ({ folder, manifest }) => {
  const config = readJson(join(root, folder, 'tsconfig.json'))
  expect(posix.join(folder, config.extends)).toBe('tsconfig.base.json')
  const owner = (path: string) => compiled.find(other => `${path}/`.startsWith(`${other.folder}/`))?.folder ?? path
  const referenced = config.references.map(({ path }: { path: string }) => owner(posix.join(folder, path)))
  // A package without dependencies bundles what it needs.
  const imported = { ...(manifest.dependencies ?? manifest.devDependencies), ...manifest.peerDependencies }
  const needed = compiled.filter(other => imported[other.name]).map(other => other.folder)
  expect(referenced.sort()).toEqual(needed.sort())
  for (const file of ['tsconfig.json', 'tsconfig.test.json']) {
    const listed = readJson(join(root, file)).references.map(({ path }: { path: string }) => path)
    expect(listed).toContain(folder)
  }
})

it.each(all.filter(pkg => pkg.published))(
  '$folder exports its version, and its public entries list types first',
  pkg => {
    expect(existsSync(join(root, pkg.folder, 'src/index.ts'))).toBe(true)
    const code = read(pkg.folder, 'src/version.ts')
    expect(/^export const VERSION(?:: string)? = '([^']+)'$/m.exec(code)?.[1]).toBe(version)
    expect(pkg.manifest).toMatchObject({ engines: { node: '>=20.19' } })
    expect(pkg.manifest.files).toEqual(expect.arrayContaining(['dist', '!dist/.tsbuildinfo']))
    const entries = Object.entries(pkg.manifest.exports ?? {})
    expect(entries.map(([entry]) => entry)).toContain('.')
    for (const [entry, target] of entries) {
      if (typeof target !== 'string') expect([entry, Object.keys(target ?? {})]).toEqual([entry, ['types', 'default']])
    }
  },
)
