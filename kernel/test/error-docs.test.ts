import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import * as errors from '../src/spec/errors.js'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const codes = Object.values(errors).flatMap(value => (typeof value === 'object' ? [value.code] : []))

it('error docs link to a section of a file that is published with the package', () => {
  const { docs } = new errors.KeybayError(errors.configInvalid)
  expect(docs).toBe('@keybay/kernel/README.md#errors')
  expect(readme).toContain('\n## Errors\n')
})
it.each(codes)('the README lists the error code %s', code => {
  expect(readme.slice(readme.indexOf('\n## Errors\n'))).toContain(`\`${code}\``)
})
