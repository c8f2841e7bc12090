import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as errors from '../src/spec/errors.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const codes = Object.values(errors).flatMap(value => (typeof value === 'object' ? [value.code] : []))

it('error docs link to the heading of the code on the page of all codes', () => {
  const { docs } = new errors.KeybayError(errors.configInvalid)
  const [page, anchor] = docs.split('#')
  expect(page).toBe('@keybay/kernel/ERRORS.md')
  expect(readFileSync(new URL('../ERRORS.md', import.meta.url), 'utf8')).toContain(`\n## ${anchor}\n`)
})
it.each(codes)('the README lists the error code %s', code => {
  expect(readme.slice(readme.indexOf('\n## Errors\n'))).toContain(`\`${code}\``)
})
