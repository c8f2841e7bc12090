/** Reads the command that wraps keys. Custody's tests run one. */
import { expect, it } from 'vitest'
import { readCommand } from '../src/kek-command.js'

it.each([
  ['["/bin/kms","--key","a b"]', ['/bin/kms', '--key', 'a b']],
  ['/bin/kms --key  a', ['/bin/kms', '--key', 'a']],
  ['[]', undefined],
  ['[""]', undefined],
  ['[1]', undefined],
  ['["/bin/kms"', undefined],
  ['  ', undefined],
])('reads the command %j without a shell', (text, argv) => {
  expect(readCommand(text)).toEqual(argv)
})
