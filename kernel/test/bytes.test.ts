import { expect, it } from 'vitest'
import * as spec from '../src/spec/index.js'

const all = Uint8Array.from({ length: 256 }, (_, index) => index)

it.each([
  ['base64', spec.toBase64, spec.fromBase64, 'base64'],
  ['base64url', spec.toBase64Url, spec.fromBase64Url, 'base64url'],
  ['hex', spec.toHex, spec.fromHex, 'hex'],
] as const)('encodes and decodes %s as Node does, at any length', (_name, write, read, encoding) => {
  for (let length = 0; length <= all.length; length++) {
    const bytes = all.subarray(all.length - length)
    const text = write(bytes)
    expect(text).toBe(Buffer.from(bytes).toString(encoding))
    expect(read(text)).toEqual(Uint8Array.from(bytes))
  }
})

it.each(['a', 'ab=', 'ab+/', 'a b', 'ab\n', 'QR'])(
  'refuses %j as base64url, because each value has one encoding',
  text => {
    expect(() => spec.fromBase64Url(text)).toThrow(TypeError)
  },
)

it.each(['0', '0x00', 'zz', '00 '])('refuses %j as hex', text => {
  expect(() => spec.fromHex(text)).toThrow(TypeError)
})

it('compares bytes by length and content', () => {
  expect(spec.equalBytes(all, all.slice())).toBe(true)
  expect(spec.equalBytes(all, all.subarray(1))).toBe(false)
  expect(spec.equalBytes(all, all.with(255, 0))).toBe(false)
})

it('concatenates bytes, and hashes them with SHA-256', async () => {
  const bytes = spec.concatBytes(spec.utf8('ab'), new Uint8Array(), spec.utf8('c'))
  expect(spec.toHex(await spec.sha256(bytes))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('reads a field of objects and functions, and returns undefined for other values', () => {
  expect(spec.field({ code: 4001 }, 'code')).toBe(4001)
  expect(
    spec.field(
      Object.assign(() => {}, { code: 1 }),
      'code',
    ),
  ).toBe(1)
  for (const value of [null, undefined, 'text', 1]) expect(spec.field(value, 'length')).toBeUndefined()
})
