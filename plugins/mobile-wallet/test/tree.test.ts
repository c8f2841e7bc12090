/** What is installed with this package: react-native must not be. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const locked: { readonly packages: Readonly<Record<string, { readonly name?: string; readonly version?: string }>> } =
  JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))

it('react-native stays out of the tree: what has its name is an empty package', () => {
  const named = Object.entries(locked.packages).filter(([path]) =>
    /node_modules\/(@react-native\/|react-native)/.test(path),
  )
  expect(named.map(([path, { name, version }]) => [path, name, version])).toEqual([
    ['node_modules/react-native', 'empty-npm-package', '1.0.0'],
  ])
  expect(existsSync(`${root}node_modules/react-native/Libraries`)).toBe(false)
  expect(existsSync(`${root}node_modules/@react-native`)).toBe(false)
})
it('the README shows hosts the very line that does it here', () => {
  const { overrides } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  expect(readme).toContain(`{ "overrides": { "react-native": "${overrides['react-native']}" } }`)
})
