import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { transpile } from '../src/transpile.mjs'
import { useTemporaryFolder } from './temporary.js'

const folder = useTemporaryFolder()

function read(file: string): string | undefined {
  const path = join(folder.path, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

beforeEach(() => {
  folder.write('tsconfig.json', { references: ['a', 'a/src/server', 'b'].map(path => ({ path })) })
  folder.write('a/tsconfig.json', { compilerOptions: { jsx: 'react-jsx' }, exclude: ['src/server', 'dist'] })
  folder.write('a/src/page/view.tsx', 'export const view = (name: string) => <p>{name}</p>')
  folder.write('a/src/types.d.ts', 'declare const x: number')
  folder.write('a/src/server/tsconfig.json', {
    compilerOptions: { rootDir: '..', outDir: '../../dist' },
    include: ['.'],
  })
  folder.write('a/src/server/main.ts', 'export const port: number = 1\nexport const mode = process.env.NODE_ENV')
  folder.write('b/tsconfig.json', { compilerOptions: { emitDeclarationOnly: true } })
  folder.write('b/src/index.ts', 'export {}')
})

it('writes the JavaScript of each file where the compiler would, and its source map', async () => {
  await transpile(folder.path)
  expect(read('a/dist/page/view.js')).toContain('react/jsx-runtime')
  expect(read('a/dist/page/view.js.map')).toContain('../../src/page/view.tsx')
  expect(read('a/dist/server/main.js')).toContain('port = 1;\nexport const mode = process.env.NODE_ENV;')
  for (const file of ['a/dist/types.js', 'a/dist/types.d.js', 'b/dist']) expect(read(file)).toBeUndefined()
})

it('refuses a file that would import a helper, which is not installed', async () => {
  folder.write('a/src/server/page.ts', 'export const page = (tag: typeof String.raw) => tag`<script></script>`')
  await expect(transpile(folder.path)).rejects.toThrow('needs a helper')
})

it('writes a file again only after a change', async () => {
  await transpile(folder.path)
  const output = join(folder.path, 'a/dist/server/main.js')
  writeFileSync(output, 'bundled')
  await transpile(folder.path)
  expect(read('a/dist/server/main.js')).toBe('bundled')

  utimesSync(output, 0, 0)
  await transpile(folder.path)
  expect(read('a/dist/server/main.js')).toContain('port = 1')
})

it('shows a syntax error', async () => {
  folder.write('a/src/server/main.ts', 'export const port: number =')
  await expect(transpile(folder.path)).rejects.toThrow('Unexpected token')
})
