import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
}

/** Returns the tests that the document cites, as `file` “name”, “name”. */
function readCitations(document: string) {
  return [...document.matchAll(/`([\w/.-]+\.test\.ts)`((?: “[^”]+”,?)+)/g)].flatMap(([, path = '', names = '']) =>
    [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ path, name })),
  )
}

const document = read('SECURITY-MODEL.md')
const citations = readCitations(document)

it('the security model cites a test for each of its promises', () => {
  const promises = document.slice(document.indexOf('## Promises'), document.indexOf('## Known limits'))
  const rows = promises.split('\n').filter(line => line.startsWith('| ') && !/^\| (?:promise|---)/.test(line))
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter(row => readCitations(row).length === 0)).toEqual([])
})

it.each(citations)('the security model cites an existing test: $path $name', ({ path, name }) => {
  expect(read(path)).toContain(`'${name}'`)
})
