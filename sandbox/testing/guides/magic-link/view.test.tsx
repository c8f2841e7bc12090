// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { PromptDialog } from '@keybay/react/ui'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { magicLink } from './index.js'
import { startTestServer } from './test-server.js'
import { MagicLinkView } from './view.js'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

it('the view asks for the address, and the server sends the link', async () => {
  const server = await startTestServer(async () => 'token')
  const left = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    plugins: [magicLink({ serverUrl: server.url, sentUrl: '/check-your-mail' })],
  })
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <KeybayProvider keybay={keybay}>
        <PromptDialog views={{ 'magic-link': MagicLinkView }} />
      </KeybayProvider>,
    ),
  )
  await act(async () => void keybay.connect('magic-link').catch(() => {})) // ends with the page
  const input = document.querySelector('input')
  if (!input) throw new Error('The view shows no input')
  input.value = 'eve@example.com'
  await act(async () => document.querySelector('form')?.requestSubmit())
  await act(() => expect.poll(() => left).toHaveBeenCalledWith('/check-your-mail'))
  expect(server.newestLink()).toContain('magic_code=')
  await act(async () => root.unmount())
  keybay.dispose()
  server.stop()
})
