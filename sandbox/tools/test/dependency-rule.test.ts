import { beforeEach, describe, expect, it } from 'vitest'
import { dependencyProblems, getImports } from '../src/imports.mjs'
import { useTemporaryFolder } from './temporary.js'

it('this repository follows the dependency rule', () => expect(dependencyProblems()).toEqual([]))

it('getImports finds every form of import, and no examples in comments', () => {
  const text = `
    import a from 'one'
    import type { B, C } from "two"
    import {
      d,
    } from 'three'
    import 'four'
    export * from 'five'
    export type { E } from 'six'
    const f = await import('seven'), g = require('eight')
    /** @example import { x } from 'not-this' */
    // import y from 'nor-this'
    const from = 'nor that'`
  expect([...getImports(text)].sort()).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].sort())
})

describe('in a repository that breaks it', () => {
  const base = useTemporaryFolder()
  const { write } = base
  const pack = (folder: string, name: string, more: object = {}): void =>
    write(`${folder}/package.json`, { name, version: '1.0.0', exports: { '.': './dist/index.js' }, ...more })

  beforeEach(() => {
    write('package.json', { workspaces: ['kernel', 'react', 'plugins/*', 'sandbox/*'] })
    pack('kernel', '@keybay/kernel')
    pack('react', '@keybay/react', { dependencies: { '@keybay/kernel': '1.0.0' }, peerDependencies: { react: '>=18' } })
    const needs = { dependencies: { '@keybay/kernel': '1.0.0', '@keybay/account': '1.0.0', react: '1.0.0' } }
    for (const id of ['account', 'passkey', 'solana']) pack(`plugins/${id}`, `@keybay/${id}`, needs)
    write('plugins/account/package.json', { name: '@keybay/account', exports: { '.': '.', './react': '.' } })
    pack('sandbox/app', '@keybay/sandbox-app', { private: true })
  })

  it('allows the imports that the dependency rule allows', () => {
    write('react/src/index.ts', `import '@keybay/kernel'; import 'react'`)
    write('plugins/passkey/src/index.ts', `import '@keybay/kernel'; import '@keybay/account'; import './other.js'`)
    write('plugins/passkey/src/react/index.ts', `import 'react'; import '@keybay/account/react'; import '../index.js'`)
    write('sandbox/app/src/main.ts', `import '@keybay/solana'; import '@keybay/react'; import 'react'`)
    expect(dependencyProblems(base.path)).toEqual([])
  })

  it.each([
    ['kernel/src/a.ts', '@keybay/solana', 'the kernel imports no other Keybay package'],
    ['kernel/src/a.ts', 'react', 'the kernel knows nothing of React'],
    ['kernel/src/a.ts', 'react/jsx-runtime', 'the kernel knows nothing of React'],
    ['react/src/a.ts', '@keybay/solana', 'react imports the kernel alone'],
    ['plugins/passkey/src/a.ts', '@keybay/solana', 'passkey is not built on it'],
    ['plugins/solana/src/a.ts', '@keybay/react', 'only src/react/ and src/ui/ may import React'],
    ['plugins/solana/src/a.ts', 'react-dom/client', 'only src/react/ and src/ui/ may import React'],
    ['plugins/solana/src/a.ts', '@keybay/sandbox-app', 'nothing outside of sandbox/ may import it'],
    ['plugins/solana/src/a.ts', 'lodash', 'a published package must declare what it imports'],
    ['plugins/solana/src/a.ts', '@keybay/kernel/dist/bus.js', '@keybay/kernel does not export it'],
    ['plugins/solana/test/a.test.ts', '@keybay/kernel/secret', '@keybay/kernel does not export it'],
    ['plugins/solana/test/a.test.ts', '../../account/src/index.js', 'must not leave its package'],
    ['sandbox/app/src/a.ts', '../../../kernel/src/index.js', 'must not leave its package'],
  ])('reports a violation when %s imports %s', (file, specifier, problem) => {
    write(file, `import { x } from '${specifier}'`)
    expect(dependencyProblems(base.path)).toContainEqual(expect.stringContaining(problem))
  })
})
