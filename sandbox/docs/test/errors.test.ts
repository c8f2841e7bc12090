import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as spec from '@keybay/kernel/spec'
import { getAnchors } from '@keybay/sandbox-tools/pages'
import { root } from '@keybay/sandbox-tools/repo'
import { expect, it } from 'vitest'
import { collectErrors, ERRORS_PAGE, errorsPage, readErrorsPage } from '../src/errors.mjs'

const anchors = getAnchors(readErrorsPage())
const errors = [...collectErrors().values()]

it('the page of error codes is the one that the source makes (npm run docs)', () =>
  expect(readErrorsPage()).toBe(errorsPage()))

it('the page has a heading for every code that the source declares', () =>
  expect(errors.map(({ code }) => code).filter(code => !anchors.has(code))).toEqual([]))

it('the page has a heading for every code that @keybay/kernel/spec exports at run time', () => {
  const codes = Object.values(spec).flatMap(value =>
    spec.hasShape<spec.ErrorSpec>(value, { code: 'string', message: 'string' }) ? [value.code] : [],
  )
  expect(codes.length).toBeGreaterThan(100)
  expect(codes.filter(code => !anchors.has(code))).toEqual([])
})

it('every error links to the heading of its code', () => {
  for (const { code, message } of errors) {
    const { docs } = new spec.KeybayError({ code, message })
    const [page, anchor = ''] = docs.split('#')
    expect(page).toBe(`@keybay/${ERRORS_PAGE}`)
    expect(anchors).toContain(anchor)
  }
})

it('the page says what to do about every code of the kernel’s README', () => {
  const readme = readFileSync(join(root, 'kernel/README.md'), 'utf8')
  expect(readme).toContain('| `plugin_missing` | add the plugin that the message names')
  expect(readErrorsPage()).toContain('what to do: add the plugin that the message names')
})
