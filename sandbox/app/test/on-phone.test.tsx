// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://demo.example/send" }
import { createKeybay } from '@keybay/kernel'
import { expect, it } from 'vitest'
import { OnPhone } from '../src/phone/on-phone.js'
import { setUpScreen, show } from './screen.js'

setUpScreen()

it('shows a code to scan where a phone can reach the app', async () => {
  const { element } = show(createKeybay({ appName: 'Test', plugins: [] }), <OnPhone />)
  await expect.poll(() => element.querySelector('[role=img]')?.getAttribute('aria-label')).toMatch(/^QR code/)
  expect(element.textContent).not.toContain('can’t reach')
})
