import { expect, it } from 'vitest'
import { shorten } from '../src/spec/index.js'

it('shorten keeps six characters of both ends, and a text that would not become shorter', () => {
  expect(shorten('7Gh2KqPd4nXwZ1cTfE8sLmUoYbRvAeJiHtGkWpF3x9Qp')).toBe('7Gh2Kq…F3x9Qp')
  expect(['', 'wallet.sol', '1234567890123'].map(shorten)).toEqual(['', 'wallet.sol', '1234567890123'])
})
