import { beforeEach, describe, expect, it } from 'vitest'
import { getPaths, packagingProblems } from '../src/packaging.mjs'
import { useTemporaryFolder } from './temporary.js'

it('every published package has its metadata, licence, source maps, and pages that name only what it ships', () => {
  expect(packagingProblems()).toEqual([])
})

it('takes links and code for paths, but not code blocks, headings and links to other sites', () => {
  const text =
    '[a](./A.md) [b](#part) [`test/c.ts`](https://x.example/c) `src/d.ts` `D` `npm run x`\n```ts\n[`src/e.ts`](../e)\n```'
  expect(getPaths(text)).toEqual([
    { path: './A.md', isLink: true },
    { path: 'src/d.ts', isLink: false },
  ])
})

describe('packagingProblems', () => {
  const base = useTemporaryFolder()
  const repository = 'https://github.com/keybay/keybay'
  const good = {
    name: '@keybay/acme',
    repository: { type: 'git', url: `git+${repository}.git`, directory: 'plugins/acme' },
    homepage: `${repository}/tree/main/plugins/acme#readme`,
    bugs: `${repository}/issues`,
    keywords: ['keybay'],
    files: ['dist', 'src', 'GUIDE.md', '!dist/.tsbuildinfo'],
  }
  beforeEach(() => {
    base.write('package.json', { workspaces: ['plugins/*'] })
    base.write('LICENSE', 'The licence.')
    base.write('plugins/acme/package.json', good)
    base.write('plugins/acme/LICENSE', 'The licence.')
    base.write('plugins/acme/src/index.ts', 'export {}')
    base.write('plugins/acme/dist/index.js', 'export {}')
    base.write('plugins/acme/dist/index.js.map', '{}')
    base.write('plugins/acme/README.md', 'See `src/index.ts` and [the guide](./GUIDE.md#how).')
    base.write('plugins/acme/GUIDE.md', `[Keybay](${repository})`)
  })

  it('finds nothing in a complete package, and ignores private ones', () => {
    expect(packagingProblems(base.path)).toEqual([])
    base.write('plugins/acme/package.json', { name: '@keybay/acme', private: true })
    expect(packagingProblems(base.path)).toEqual([])
  })

  it.each([
    ['repository', { repository: { ...good.repository, directory: 'plugins/other' } }],
    ['homepage', { homepage: undefined }],
    ['bugs', { bugs: undefined }],
    ['keywords', { keywords: [] }],
  ])('finds wrong metadata: %s', (field, change) => {
    base.write('plugins/acme/package.json', { ...good, ...change })
    expect(packagingProblems(base.path)).toEqual([expect.stringContaining(`"${field}"`)])
  })

  it('finds a package whose licence differs from the repository’s', () => {
    base.write('plugins/acme/LICENSE', 'Another licence.')
    expect(packagingProblems(base.path)).toEqual([expect.stringContaining('LICENSE')])
  })

  it('finds a package without its sources, and pages that name them', () => {
    base.write('plugins/acme/package.json', { ...good, files: ['dist', 'GUIDE.md'] })
    expect(packagingProblems(base.path)).toEqual([
      expect.stringContaining('"files" lacks “src”'),
      expect.stringContaining('README.md names src/index.ts'),
    ])
  })

  it('finds a compiled file without a source map', () => {
    base.write('plugins/acme/dist/deep/more.js', 'export {}')
    expect(packagingProblems(base.path)).toEqual([expect.stringContaining('dist/deep/more.js has no source map')])
  })

  it.each([
    ["import { useState } from 'react'", "./react does not begin with 'use client'"],
    ["export { use } from '../use.js'", "./react does not begin with 'use client'"],
    ["'use client'\nexport * from '../use.js'", './react has “export *”'],
    ["'use client'\nexport {}", "./react uses no React, but begins with 'use client'"],
    ["'use client'\nexport { use } from '../use.js'", undefined],
    ['export {}', undefined],
  ])('checks the directive of an entry that uses React: %s', (text, problem) => {
    base.write('plugins/acme/package.json', { ...good, exports: { './react': { default: './dist/react/index.js' } } })
    base.write('plugins/acme/dist/react/index.js', text)
    base.write('plugins/acme/dist/react/index.js.map', '{}')
    base.write('plugins/acme/dist/use.js', "import { useState } from 'react'\nexport const use = useState")
    base.write('plugins/acme/dist/use.js.map', '{}')
    expect(packagingProblems(base.path)).toEqual(problem ? [expect.stringContaining(problem)] : [])
  })

  it.each([
    ['[Keybay](../../README.md)', '../../README.md'],
    ['[faults](test/faults.test.ts)', 'test/faults.test.ts'],
    ['`sandbox/frame`', 'sandbox/frame'],
    ['`src/gone.ts`', 'src/gone.ts'],
  ])('finds a page that names a file outside the package: %s', (text, path) => {
    base.write('plugins/acme/test/faults.test.ts', '')
    base.write('plugins/acme/GUIDE.md', text)
    expect(packagingProblems(base.path)).toEqual([expect.stringContaining(`GUIDE.md names ${path}, `)])
  })
})
