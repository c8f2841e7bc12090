import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contentProblems, rehearse } from '../src/release.mjs'
import { createPackages, packages, root } from '../src/repo.mjs'

it('a rehearsed release packs every published package at one new version, finds no problem, and changes nothing here', async () => {
  const read = () => packages().map(({ folder }) => readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const before = read()
  const released = await rehearse()
  const workspaces = packages().flatMap(({ name, published }) => (published ? [name] : []))
  const created = createPackages().map(({ name }) => name)
  expect(created).toEqual(['create-keybay', 'create-keybay-plugin'])
  expect(released.map(({ name }) => name)).toEqual([...workspaces, ...created])
  const versions = new Set(released.map(({ version }) => version))
  expect(versions.size).toBe(1)
  expect(versions).not.toContain(packages()[0]?.manifest.version)
  expect(released.flatMap(({ problems }) => problems)).toEqual([])
  for (const { name, files } of released)
    expect(files, name).toEqual(
      expect.arrayContaining([
        ...(created.includes(name) ? [`bin/${name}.mjs`] : ['dist/index.js', 'dist/index.d.ts']),
        'LICENSE',
        'README.md',
      ]),
    )
  expect(read()).toEqual(before)
}, 300_000)

it('finds a missing licence, files that no user needs, and a dependency of an older version', () => {
  const manifest = {
    name: '@keybay/acme',
    version: '2.0.0',
    dependencies: { '@keybay/kernel': '1.0.0', bs58: '6.0.0' },
  }
  const acme = { folder: 'plugins/acme', id: 'acme', name: '@keybay/acme', published: true, manifest }
  const files = ['README.md', 'package.json', 'dist/index.js', 'test/index.ts', 'dist/.tsbuildinfo']
  expect(contentProblems(acme, files, new Map([['@keybay/kernel', '2.0.0']]))).toEqual([
    '@keybay/acme has no LICENSE',
    '@keybay/acme has test/index.ts, which no user needs',
    '@keybay/acme has dist/.tsbuildinfo, which no user needs',
    '@keybay/acme needs @keybay/kernel 1.0.0, not 2.0.0',
  ])
})
