// @vitest-environment happy-dom
/** Tests that every character that the frame shows is visible. */
import { expect, it } from 'vitest'
import { element } from '../../src/page/screen/dom.js'

it.each([
  ['pay \u202Eecila', 'pay ‹U+202E›ecila'],
  ['al\u200Bice\u00AD', 'al‹U+200B›ice‹U+00AD›'],
  ['\u2066one\u2069', '‹U+2066›one‹U+2069›'],
  ['a\u2028b', 'a‹U+2028›b'],
  ['\u{E0041}', '‹U+E0041›'],
  ['\u3164\u115f\u034f\u2800', '‹U+3164›‹U+115F›‹U+034F›‹U+2800›'],
  ['\u0008\u009b\rx\r\n\ufffc\u{1d159}', '‹U+0008›‹U+009B›‹U+000D›x\r\n‹U+FFFC›‹U+1D159›'],
  ['zwölf\nZeilen\tund 🎉 ❤️', 'zwölf\nZeilen\tund 🎉 ❤️'],
])('shows the text %j as %j', (text, shown) => {
  expect(element('p', {}, element('b', {}, 'x'), text).textContent).toBe(`x${shown}`)
})
