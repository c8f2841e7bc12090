/** The enumerations that no shipped code uses are exactly those that the row S3.1 calls typed only. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WALLET_ERROR_CODES } from '@keybay/kernel/spec'
import { packages, root } from '@keybay/sandbox-tools/repo'
import { expect, it } from 'vitest'
import { readRows } from './main.mjs'

/** Rows call them by the specification's words. */
const TITLES: Readonly<Record<string, string>> = {
  WALLET_KEY_TYPES: 'key types',
  ACCOUNT_ABSTRACTION_PROVIDERS: 'account-abstraction providers',
  ONRAMP_PROVIDERS: 'onramp providers',
  ONRAMP_STATUSES: 'onramp statuses',
  DURATION_UNITS: 'duration units',
}
const ENUMERATIONS = 'kernel/src/spec/enumerations.ts'

function listShippedFiles(): readonly string[] {
  return packages().flatMap(({ folder }) => {
    const listed = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    return listed
      .map(file => join(folder, file))
      .filter(file => /\/src\/.*\.tsx?$/.test(file) && !/node_modules|\/testing\//.test(file))
  })
}

/** Returns each enumeration with the names of its constant, type and guard. */
function listEnumerations(text: string) {
  return text
    .split(/^export const (?=[A-Z])/m)
    .slice(1)
    .map(part => [
      /^\w+/.exec(part)?.[0] ?? '',
      ...[...part.matchAll(/^export (?:type|const) (\w+)/gm)].map(([, name = '']) => name),
    ])
}

/** Returns the names of the wallet error codes that errors of shipped code carry. */
function listRaisedCodes(shipped: string): readonly string[] {
  const values = shipped.matchAll(/walletCode: (\w+)|errorSpec\(\s*'[^)]*', (\d+),?\s*\)/g)
  const raised = new Set([...values].map(([, value, argument]) => value ?? argument))
  return Object.entries(WALLET_ERROR_CODES).flatMap(([name, code]) =>
    raised.has(name) || raised.has(String(code)) ? [name] : [],
  )
}

it('each wallet error code is raised by a shipped path, or its row says why not', () => {
  const shipped = listShippedFiles()
    .map(file => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const unraised = Object.keys(readRows()['S3.1']?.unraised ?? {})
  expect([...listRaisedCodes(shipped), ...unraised].toSorted()).toEqual(Object.keys(WALLET_ERROR_CODES).toSorted())
})

it('each enumeration is used by a shipped type or parser, or its row calls it typed only', () => {
  const text = readFileSync(join(root, ENUMERATIONS), 'utf8')
  const enumerations = listEnumerations(text)
  expect(enumerations).toHaveLength(19)
  const shipped = listShippedFiles()
    .filter(file => file !== ENUMERATIONS)
    .map(file => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const unused = enumerations.filter(names => !new RegExp(`\\b(?:${names.join('|')})\\b`).test(shipped))
  expect(unused.map(([name = '']) => TITLES[name] ?? name)).toEqual(Object.keys(readRows()['S3.1']?.typedOnly ?? {}))
})
