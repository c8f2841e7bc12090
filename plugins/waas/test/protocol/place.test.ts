// @vitest-environment happy-dom
/** The dialog of a visible frame; `sandbox/frame/test/window.test.ts` proves its size and its keys in a browser. */
import { expect, it } from 'vitest'
import { openPlace } from '../../src/protocol/place.js'

it('a dialog of the app that was closed while a function of the app ran stays closed when the function ends', async () => {
  const dialog = document.body.appendChild(document.createElement('dialog'))
  const place = openPlace(dialog, () => {})
  expect(dialog.open).toBe(true)
  let end = () => {}
  const running = new Promise<void>(resolve => {
    end = resolve
  })
  place.stepAside(running)
  place.close()
  expect(dialog.open).toBe(false)
  end()
  await running
  await Promise.resolve()
  await Promise.resolve()
  expect(dialog.open).toBe(false)
  const next = openPlace(dialog, () => {})
  expect(dialog.open).toBe(true)
  next.close()
})
