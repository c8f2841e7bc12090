import { expect, it } from 'vitest'
import { getNextScheme, hasBackup, schemeNames } from '../src/embedded/schemes.js'

it.each(schemeNames)('never offers first to change %s to a scheme without a backup', from => {
  const next = getNextScheme(from)
  expect(next).not.toBe(from)
  expect(hasBackup(next)).toBe(true)
})
