import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findChromium } from '../src/browser.mjs'
import { isInstalled, withAddresses } from '../src/install.mjs'
import { root } from '../src/repo.mjs'
import { useTemporaryFolder } from './temporary.js'

const base = useTemporaryFolder()

describe('isInstalled', () => {
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  const write = (locked: object, installed?: object): void => {
    base.write('package-lock.json', { packages: { '': {}, kernel: {}, ...locked } })
    if (installed) base.write('node_modules/.package-lock.json', { packages: installed })
  }

  it('isInstalled is true for this repository', () => expect(isInstalled(root)).toBe(true))
  it('isInstalled is false for a fresh clone and for an unfinished installation', () => {
    expect(isInstalled(base.path)).toBe(false)
    write({ 'node_modules/a': a })
    expect(isInstalled(base.path)).toBe(false)
  })
  it('isInstalled is true when exactly the locked packages are installed, except those of other systems', () => {
    write({ 'node_modules/a': a, 'node_modules/win': { ...a, optional: true } }, { 'node_modules/a': a })
    expect(isInstalled(base.path)).toBe(true)
  })
  it.each([
    ['a package is missing', {}],
    ['a version differs', { 'node_modules/a': { ...a, version: '1.0.1' } }],
    ['the contents differ', { 'node_modules/a': { ...a, integrity: 'sha512-b' } }],
    ['a workspace is not linked', { 'node_modules/a': { ...a, link: true } }],
  ])('isInstalled is false when %s', (_, installed) => {
    write({ 'node_modules/a': a }, installed)
    expect(isInstalled(base.path)).toBe(false)
  })
})

it('gives each package that comes from a registry its address there, as npm writes it', () => {
  const version = '1.2.3'
  const packages = {
    '': {},
    kernel: { version },
    'node_modules/@keybay/kernel': { link: true, resolved: 'kernel' },
    'node_modules/a': { version },
    'node_modules/a/node_modules/@b/c': { version },
    'node_modules/react-18': { version, name: 'react' },
    'sandbox/docs/node_modules/a': { version },
  }
  expect(withAddresses({ packages }, 'https://packages.example/npm').packages).toEqual({
    ...packages,
    'node_modules/a': { version, resolved: 'https://packages.example/npm/a/-/a-1.2.3.tgz' },
    'node_modules/a/node_modules/@b/c': { version, resolved: 'https://packages.example/npm/@b/c/-/c-1.2.3.tgz' },
    'node_modules/react-18': {
      version,
      name: 'react',
      resolved: 'https://packages.example/npm/react/-/react-1.2.3.tgz',
    },
    'sandbox/docs/node_modules/a': { version, resolved: 'https://packages.example/npm/a/-/a-1.2.3.tgz' },
  })
})

describe('findChromium', () => {
  it('findChromium prefers CHROMIUM_PATH to every other location', () => {
    base.write('my-chromium', '')
    const program = join(base.path, 'my-chromium')
    expect(findChromium({ CHROMIUM_PATH: program, PATH: '' })).toBe(program)
  })
  it('findChromium reports a CHROMIUM_PATH that points to no file', () =>
    expect(() => findChromium({ CHROMIUM_PATH: '/nowhere/chromium' })).toThrow(
      'CHROMIUM_PATH is /nowhere/chromium, but no file is there. Correct it or unset it.',
    ))
})
