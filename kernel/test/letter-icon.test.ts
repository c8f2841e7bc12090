import { expect, it } from 'vitest'
import { createLetterIcon } from '../src/spec/index.js'

it('a letter icon is an image with the first letter of the name, in capitals, and nothing else of it', () => {
  const icon = createLetterIcon('acme', '#123456')
  const svg = atob(icon.replace('data:image/svg+xml;base64,', ''))
  expect(svg).toMatch(/<rect [^>]*fill='#123456'\/><text [^>]*>A<\/text><\/svg>$/)
  expect(svg).not.toContain('cme')
})
