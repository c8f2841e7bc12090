import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  exceptions,
  getName,
  isAllowed,
  licenceProblems,
  lockedPackages,
  publishedFolders,
  shippedPaths,
} from '../src/licences.mjs'
import { root } from '../src/repo.mjs'
import { trackedFiles } from '../src/snippets.mjs'

const text = trackedFiles().filter(file => !/\.(png|jpe?g|ico|woff2?|wasm|so|gz)$/.test(file))
/** Returns `file: line` for every matching line. */
function find(pattern: RegExp, files: readonly string[] = text): readonly string[] {
  return files.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter(line => pattern.test(line))
      .map(line => `${file}: ${line.trim().slice(0, 160)}`),
  )
}

/** Reads ranges such as `^18 || >=20.19`. */
function runsOnNode20(range = '*'): boolean {
  return range.split('||').some(part => {
    const [, operator = '', major = '', minor = '0'] = /^\s*([<>=^~]*)\s*v?(\d+)?(?:\.(\d+))?/.exec(part) ?? []
    if (major === '' || operator.startsWith('<')) return part.trim() === '*'
    const isReached = Number(major) < 20 || (Number(major) === 20 && Number(minor) <= 19)
    return operator.startsWith('>') ? isReached : isReached && Number(major) === 20
  })
}

describe('tracked files', () => {
  it('tracked files name no package registry', () => {
    const host = ['registry', '(npmjs|yarnpkg)'].join('\\.')
    expect(find(new RegExp(`${host}|"resolved": "https?:|^(@\\w+:)?registry=`))).toEqual([])
  })

  it('tracked files contain no path of the machine on which they were written', () => {
    // Paths in home folders and on build machines; /usr/bin and the like are the same everywhere.
    const path = `(^|[\\s'"\`(=:])/(${['home/\\w', 'Users/\\w', 'root/', 'work/', 'builds/', 'workspace/'].join('|')})`
    expect(find(new RegExp(path))).toEqual([])
    expect(text).not.toContainEqual(expect.stringContaining(root))
  })

  it('tracked files silence no compiler error, and no linter rule without a reason', () => {
    const source = text.filter(file => /\.(tsx?|mjs)$/.test(file))
    expect(
      find(
        new RegExp(`@ts-${'(ignore|nocheck|expect-error)'}`),
        source.filter(file => !file.includes('test')),
      ),
    ).toEqual([])
    expect(find(new RegExp(`biome-${'ignore'}[^:]*(:\\s*(<explanation>)?\\s*)?$`), source)).toEqual([])
  })

  it('sources copy bytes with `new Uint8Array(bytes)`, because a slice of a Buffer shares its memory', () => {
    const source = text.filter(file => /\/src\/.*\.(tsx?|mjs)$/.test(file))
    expect(find(/\w\.slice\(\)/, source)).toEqual([])
  })
})

describe('dependencies', () => {
  it('all dependencies have an allowed licence or a listed exception', () => expect(licenceProblems()).toEqual([]))

  it('licence exceptions exist only where they are needed, and give a reason', () => {
    const installed = new Set(Object.keys(lockedPackages()).map(getName))
    for (const [name, { licence, reason }] of Object.entries(exceptions)) {
      expect([name, installed.has(name)]).toEqual([name, true])
      expect(isAllowed(licence)).toBe(false)
      expect(reason.length).toBeGreaterThan(10)
    }
  })

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND BSD-3-Clause', true],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0', false],
    ['UNLICENSED', false],
  ])('dependencies under the licence %s are allowed: %s', (licence, expected) =>
    expect(isAllowed(licence)).toBe(expected),
  )

  it('a host’s installation of the published packages runs on Node 20.19', () => {
    const locked = lockedPackages()
    const demanding = [...shippedPaths(locked, publishedFolders())].filter(
      path => !runsOnNode20(locked[path]?.engines?.node),
    )
    expect(demanding).toEqual([])
  })
  it.each([
    ['>=22', false],
    ['>= 20.19.0', true],
    ['>=20.20', false],
    ['^18 || ^20.19.0', true],
    ['^18 || >=21', false],
    ['4.x || >=6.0.0', true],
    [undefined, true],
  ])('Node 20.19 satisfies the engines %s: %s', (range, expected) => expect(runsOnNode20(range)).toBe(expected))

  it('dependencies of published packages need no install script', () => {
    const locked = lockedPackages()
    const shipped = [...shippedPaths(locked, publishedFolders())]
    expect(shipped.length).toBeGreaterThan(10)
    expect(shipped.filter(path => locked[path]?.hasInstallScript)).toEqual([])
  })
})
