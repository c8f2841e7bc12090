import { expect, it } from 'vitest'
import { allSnippets, checkSnippets, getSnippets } from '../src/snippets.mjs'

const snippets = allSnippets()
const problems = await checkSnippets(snippets)

it.each(snippets.map(snippet => ({ ...snippet, snippet })))(
  'the snippet of $page at line $line compiles',
  ({ snippet }) => expect(problems.get(snippet) ?? '').toBe(''),
)

it('finds the snippet in the repository’s README', () =>
  expect(snippets.map(({ page }) => page)).toContain('README.md'))

it('reads only TypeScript snippets, and appends a continued snippet to the previous snippet', () => {
  const page = '# A\n```ts\nconst a = 1\n```\n```sh\nnpm start\n```\n```ts continued\na + 1\n```\n```tsx\n<b />\n```\n'
  expect(getSnippets('A.md', page)).toEqual([
    { page: 'A.md', line: 2, language: 'ts', code: 'const a = 1\n' },
    { page: 'A.md', line: 8, language: 'ts', code: 'const a = 1\na + 1\n' },
    { page: 'A.md', line: 11, language: 'tsx', code: '<b />\n' },
  ])
})

it('says why a snippet does not compile', async () => {
  const wrong = { page: 'A.md', line: 1, language: 'ts', code: "export const a: number = 'text'\n" } as const
  const right = { page: 'A.md', line: 5, language: 'ts', code: 'export const a: number = 1\n' } as const
  const problems = await checkSnippets([right, wrong])
  expect(problems.get(right)).toBeUndefined()
  expect(problems.get(wrong)).toContain("Type 'string' is not assignable to type 'number'")
})
