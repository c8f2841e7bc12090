import { expect, it } from 'vitest'
import { exportNameProblems } from '../src/export-names.mjs'
import { useTemporaryFolder } from './temporary.js'

const base = useTemporaryFolder()

function setUp(reports: Readonly<Record<string, string>>) {
  base.write('package.json', { workspaces: ['plugins/*'] })
  for (const [id, report] of Object.entries(reports)) {
    base.write(`plugins/${id}/package.json`, { name: `@keybay/${id}` })
    base.write(`plugins/${id}/generated/api.txt`, `// Public types.\n\n// .\n\n${report}\n`)
  }
}

it('no two published packages export the same name for different things', () => {
  expect(exportNameProblems()).toEqual([])
})

it.each([
  ['functions', 'export function use(): string;', 'export function use(): number;'],
  ['interfaces', 'export interface use {\n    readonly a: 1;\n}', 'export interface use {\n    readonly b: 1;\n}'],
  ['a renamed declaration', 'export { Inner as use }\nexport type Inner = 1;', 'export const use: 1;'],
])('finds a name that two packages declare differently: %s', (_, one, other) => {
  setUp({ one, other: `export const first: 1;\n\n${other}` })
  expect(exportNameProblems(base.path)).toEqual([
    '@keybay/one and @keybay/other export “use” for different things. Rename one, or give a reason in SHARED_NAMES',
  ])
  expect(exportNameProblems(base.path, new Map([['use', 'because']]))).toEqual([])
})

it('ignores equal declarations, names that are exported again, and types that are not exported', () => {
  setUp({
    one: 'export function use(): 1;\n\nexport function other(): 1;',
    two: "export function use(): 1;\n\nexport { other } from '@keybay/one'\n\n// What they refer to\n\ninterface other {}",
  })
  expect(exportNameProblems(base.path)).toEqual([])
})
