import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { apiProblems, writeApiReports } from '../src/api-report.mjs'
import { useTemporaryFolder } from './temporary.js'

const base = useTemporaryFolder()
const REPORT = 'plugins/acme/generated/api.txt'

/** Writes a repository with one published and one private package. @param changed other content of a file */
function setUp(changed: Readonly<Record<string, string>> = {}) {
  const files: Readonly<Record<string, string>> = {
    'package.json': '{"workspaces":["plugins/*"]}',
    'plugins/acme/package.json': JSON.stringify({
      name: '@keybay/acme',
      version: '1.2.3',
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './data': './data.json',
        './react': { types: './dist/react.d.ts' },
      },
    }),
    'plugins/hidden/package.json': '{"name":"@keybay/hidden","version":"1.2.3","private":true,"exports":{}}',
    'plugins/acme/dist/index.d.ts': `/** The entry. */
import type { Inner } from './inner.js';
export { type Options as AcmeOptions } from './inner.js';
export * from './errors.js';
export * from '@other/package';
export declare const VERSION = "1.2.3";
/** Says why. */
export declare function acme(options: Inner /* why */): Promise<Inner>;
export declare function acme(): void;
`,
    'plugins/acme/dist/inner.d.ts': `import type { Outer } from '@other/package';
export interface Options { readonly deep: Deep; readonly outer: Outer; }
interface Deep { readonly value: 1; }
export interface Inner { readonly unused?: undefined; }
export interface Unused { readonly nothing: true; }
interface Merged { readonly name: string; }
declare module '@keybay/kernel' { interface KeybayPlugins { acme: Merged; } }
`,
    'plugins/acme/dist/errors.d.ts': 'export declare const wrong: "wrong";\n',
    'plugins/acme/dist/react.d.ts': "export { wrong } from './errors.js';\nexport declare function useAcme(): void;\n",
    ...changed,
  }
  for (const [file, content] of Object.entries(files)) base.write(file, content)
}

it('writes down what each entry exports, and once what that refers to, without comments and without the version', () => {
  setUp()
  writeApiReports(base.path)
  expect(
    readFileSync(join(base.path, REPORT), 'utf8'),
  ).toBe(`// Public types, from the built declarations. Written by \`npm run api\`; \`npm run check\` compares it.

// .

export * from '@other/package'

export { Options as AcmeOptions }
export interface Options { readonly deep: Deep; readonly outer: Outer; }

export const VERSION = "the version";

export function acme(options: Inner ): Promise<Inner>;
export function acme(): void;

export const wrong: "wrong";

// ./react

export function useAcme(): void;

export { wrong } // see .

// What they refer to

interface Deep { readonly value: 1; }

interface Inner { readonly unused?: undefined; }

interface Merged { readonly name: string; }

// What they add to other modules

declare module '@keybay/kernel' { interface KeybayPlugins { acme: Merged; } }
`)
})

it.each([
  ['an exported type', 'inner', 'interface Options { readonly deep: Deep; readonly outer: Outer; readonly more: 2; }'],
  ['a type that an exported one refers to', 'inner', 'interface Deep { readonly value: 2; }'],
  ['a type in a declaration that is merged elsewhere', 'inner', 'interface Merged { readonly name: number; }'],
  ['a new export', 'errors', 'export declare const later: "later";'],
])(
  'names the file and the first line when %s has changed, and accepts the report once it is written again',
  (_, file, line) => {
    setUp()
    writeApiReports(base.path)
    expect(apiProblems(base.path)).toEqual([])
    const path = `plugins/acme/dist/${file}.d.ts`
    const text = readFileSync(join(base.path, path), 'utf8')
    const name = /(interface|const) \w+/.exec(line)?.[0] ?? ''
    const lines = text.split('\n').map(old => (old.includes(`${name} `) ? old.replace(/interface.*/, line) : old))
    setUp({ [path]: text.includes(`${name} `) ? lines.join('\n') : `${text}${line}\n` })
    expect(apiProblems(base.path)).toEqual([
      expect.stringMatching(/^plugins\/acme\/generated\/api\.txt:\d+: the public types have changed/),
    ])
    writeApiReports(base.path)
    expect(apiProblems(base.path)).toEqual([])
  },
)

it('says nothing about a type that no entry reaches', () => {
  setUp()
  writeApiReports(base.path)
  const path = 'plugins/acme/dist/inner.d.ts'
  const text = readFileSync(join(base.path, path), 'utf8')
  setUp({ [path]: text.replace('nothing: true', 'nothing: false') })
  expect(apiProblems(base.path)).toEqual([])
})

it('reports a package without a report, and one whose declarations are not built', () => {
  setUp()
  expect(apiProblems(base.path)).toEqual([expect.stringContaining(`${REPORT}:1: the public types have changed`)])
  setUp({ 'plugins/acme/dist/index.d.ts': "export * from './missing.js'\n" })
  expect(() => apiProblems(base.path)).toThrow('./missing.js, which is not built')
})
