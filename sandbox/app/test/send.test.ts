import { expect, it } from 'vitest'
import { amountProblem, destinationProblem, readAmount } from '../src/send/validate.js'

const address = 'So11111111111111111111111111111111111111112'

it.each([
  ['', /^Destination is required$/],
  [address.slice(0, 31), /has 31\./],
  [address + address, /has 86\./],
  [address.replace('S', '0'), /not a Solana address/],
])('explains what is wrong with the destination “%s”', (to, says) => expect(destinationProblem(to)).toMatch(says))
it('accepts a Solana address as the destination', () => expect(destinationProblem(address)).toBeUndefined())

it.each([
  ['', /how much/],
  ['0', /more than 0/],
  ['-1', /such as 0.5/],
  ['1e3', /such as 0.5/],
  ['0.0000000001', /at most 9 decimals/],
  ['99999999999', /such as 0.5/],
])('explains what is wrong with the amount “%s”', (amount, says) => expect(amountProblem(amount)).toMatch(says))
it('reads amounts as lamports without rounding', () => {
  expect(amountProblem('0.000000001')).toBeUndefined()
  expect(readAmount('12345678.000000001')).toBe(12_345_678_000_000_001n)
})
