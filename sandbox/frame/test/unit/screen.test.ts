// @vitest-environment happy-dom
/** Tests that a question whose request is gone does nothing. */
import { systemClock } from '@keybay/kernel/spec'
import { expect, it, vi } from 'vitest'
import { createScreen } from '../../src/page/screen/screen.js'

it('a late click on the question of an aborted request reads no answer, and the window is empty', async () => {
  const place = document.createElement('div')
  const screen = createScreen({ place, view: 'visible', hostOrigin: 'https://app.example', clock: systemClock })
  const control = new AbortController()
  const read = vi.fn()
  const asking = screen.ask({ title: 'Sign?', content: [], action: 'Sign', read, signal: control.signal })
  const agree = [...place.querySelectorAll('button')].find(({ textContent }) => textContent === 'Sign')
  control.abort()
  await expect(asking).rejects.toMatchObject({ code: 'aborted' })
  agree?.click()
  expect(agree).toBeDefined()
  expect(read).not.toHaveBeenCalled()
  expect(place.childElementCount).toBe(0)
})
