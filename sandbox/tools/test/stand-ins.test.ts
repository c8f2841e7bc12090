import { beforeEach, describe, expect, it } from 'vitest'
import { packages } from '../src/repo.mjs'
import { services } from '../src/services.mjs'
import { getEntries, standInProblems } from '../src/stand-ins.mjs'
import { useTemporaryFolder } from './temporary.js'

it('no operator program and no public entry of a package reaches a stand-in or a published secret', () => {
  expect(standInProblems()).toEqual([])
})

it('checks every program of the services that an operator runs', () => {
  const entries = packages().flatMap(pkg => getEntries(pkg))
  for (const program of [
    'sandbox/api/src/main.ts',
    'sandbox/relay/src/main.ts',
    'sandbox/relay/src/main-2.ts',
    'sandbox/relay/src/rotate.ts',
    'sandbox/custody/src/main.ts',
    'sandbox/custody/src/rotate.ts',
    'sandbox/frame/src/server/main.ts',
    'sandbox/frame/src/server/write-static.ts',
    'kernel/src/index.ts',
  ])
    expect(entries).toContain(program)
  const sandbox = services.filter(({ entry }) => entry.endsWith('sandbox.js')).map(({ name }) => name)
  expect(sandbox).toEqual(['api', 'frame'])
})

describe('standInProblems', () => {
  const base = useTemporaryFolder()
  const { write } = base
  const pack = (id: string, exports: Readonly<Record<string, string>>): void =>
    write(`sandbox/${id}/package.json`, { name: `@keybay/sandbox-${id}`, private: true, exports })
  beforeEach(() => {
    write('package.json', { workspaces: ['sandbox/*'] })
    pack('identity', { '.': './dist/index.js', './clients': './dist/clients.js' })
    write('sandbox/identity/src/index.ts', 'export const startIdentity = 1')
    write('sandbox/identity/src/clients.ts', 'export const client = 1')
    pack('service', { '.': './dist/index.js', './more': './dist/more.js' })
    write('sandbox/service/src/index.ts', 'export const a = 1')
    write('sandbox/service/src/more.ts', "export * from './deep/er.js'")
    write('sandbox/service/src/deep/er.ts', 'export const b = 1')
    pack('api', { '.': './dist/index.js', './sandbox': './dist/stand-ins.js', './testing/*': './test/*.ts' })
    write('sandbox/api/src/index.ts', "export * from './social.js'")
    write('sandbox/api/src/social.ts', "import { b } from '@keybay/sandbox-service/more'")
    write('sandbox/api/src/main.ts', "import { a } from './index.js'\n\nawait a()")
    write('sandbox/api/src/sandbox.ts', "import { a } from './stand-ins.js'\n\nawait a()")
    write('sandbox/api/src/stand-ins.ts', "import { client } from '@keybay/sandbox-identity/clients'")
    write('sandbox/api/test/world.ts', "import { client } from '@keybay/sandbox-identity/clients'")
  })

  it('finds no stand-in problem when only the sandbox’s own entry and the tests import stand-ins', () => {
    expect(standInProblems(base.path)).toEqual([])
  })

  it.each([
    ['an import', "import { client } from '@keybay/sandbox-identity/clients'"],
    ['an import of types alone', "import type { Client } from '@keybay/sandbox-identity/clients'"],
    ['an import that happens later', "const load = () => import('@keybay/sandbox-identity')"],
    ['the sandbox’s own module', "import { withStandIns } from './stand-ins.js'"],
    ['the sandbox’s own export', "import { withStandIns } from '@keybay/sandbox-api/sandbox'"],
    ['a helper of tests', "import { world } from '@keybay/sandbox-api/testing/world'"],
    ['a worker', "new Worker(new URL('./stand-ins.js', import.meta.url))"],
    ['the secret itself', "const token = createHash('sha256').update('keybay sandbox telegram')"],
    ['a key in the text', 'const key = `-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG`'],
  ])('finds %s in an operator’s program', (_, text) => {
    write('sandbox/api/src/social.ts', text)
    expect(standInProblems(base.path).map(problem => problem.split(' ')[0])).toEqual([
      'sandbox/api/src/index.ts',
      'sandbox/api/src/main.ts',
    ])
  })

  it('reports the whole import path to a stand-in when it leads through another package', () => {
    write('sandbox/service/src/deep/er.ts', "export * from '@keybay/sandbox-identity'")
    expect(standInProblems(base.path)).toContain(
      'sandbox/api/src/main.ts reaches a stand-in: sandbox/api/src/main.ts → sandbox/api/src/index.ts → sandbox/api/src/social.ts → sandbox/service/src/more.ts → sandbox/service/src/deep/er.ts → sandbox/identity/src/index.ts',
    )
  })
})
