// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { acme } from './index.js'
import { useAcmeLocked, useLockAcme } from './react.js'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

function Lock() {
  const locked = useAcmeLocked()
  const { run } = useLockAcme()
  return (
    <button type="button" onClick={() => run()}>
      {locked ? 'Locked' : 'Lock'}
    </button>
  )
}

it('the hooks of a plugin show its state and run its actions', async () => {
  const { port1, port2 } = new MessageChannel()
  port2.onmessage = ({ data }) => {
    port2.postMessage({ id: data.id, result: {} })
    if (data.method === 'lock') port2.postMessage({ event: 'locked', data: true })
  }
  const open = (onPort: (port: MessagePort) => void) => {
    onPort(port1)
    return () => {}
  }
  const keybay = createKeybay({ appName: 'Test', plugins: [acme({ open })] })
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <KeybayProvider keybay={keybay}>
        <Lock />
      </KeybayProvider>,
    ),
  )
  keybay.connectors.list()
  expect(place.textContent).toBe('Lock')
  await act(async () => place.querySelector('button')?.click())
  await act(() => expect.poll(() => keybay.acme.locked.get()).toBe(true))
  expect(place.textContent).toBe('Locked')
  await act(async () => root.unmount())
  keybay.dispose()
  port2.close()
})
