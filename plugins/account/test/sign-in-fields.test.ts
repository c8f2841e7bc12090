import { describe, expect, it } from 'vitest'
import { formatCountdown } from '../src/ui/hooks.js'
import { readAddress } from '../src/ui/read-address.js'

describe('text in the field for email address or phone number', () => {
  it.each(['mara@example.com', ' mara@example.com ', 'mara+test@mail.example.co.uk'])(
    'reads %s as an email address',
    text => {
      expect(readAddress(text, ['email', 'phone'])).toEqual({ kind: 'email', input: { email: text.trim() } })
    },
  )
  it.each(['+41 79 123 45 67', '+1 (415) 555-0100', '0041791234567'])('reads %s as a phone number', text => {
    expect(readAddress(text, ['email', 'phone'])).toEqual({ kind: 'phone', input: { phoneNumber: text } })
  })
  it.each(['', 'mara', 'mara@', '@example.com', 'mara@example', '079 123 45 67', '+41'])(
    '“%s” is neither an email address nor a phone number',
    text => {
      expect(readAddress(text, ['email', 'phone'])).toEqual({ problem: 'wrongBoth' })
    },
  )
  it('accepts only the kind of address that the form requests', () => {
    expect(readAddress('+41791234567', ['email'])).toEqual({ problem: 'wrongEmail' })
    expect(readAddress('mara@example.com', ['phone'])).toEqual({ problem: 'wrongPhone' })
  })
})

describe('a countdown', () => {
  it.each([
    [600_000, '10:00'],
    [59_001, '1:00'],
    [59_000, '0:59'],
    [1, '0:01'],
    [0, '0:00'],
    [-5000, '0:00'],
  ])('shows a countdown of %i ms as %s', (ms, text) => expect(formatCountdown(ms)).toBe(text))
})
