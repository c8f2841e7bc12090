// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { walletExtension } from './extension.js'
import { walletFrame } from './frame.js'

const ORIGIN = 'https://wallet.acme.example'

function openFrame() {
  const ports: MessagePort[] = []
  const stop = walletFrame(`${ORIGIN}/frame`)(port => ports.push(port))
  onTestFinished(() => {
    stop()
    for (const port of ports) port.close()
  })
  const frame = document.querySelector('iframe')
  if (!frame) throw new Error('There is no frame')
  const post = (data: string, origin = ORIGIN, source: unknown = frame.contentWindow) => {
    const event = new MessageEvent('message', { data, origin })
    Object.defineProperty(event, 'source', { value: source })
    dispatchEvent(event)
  }
  return { frame, ports, post, stop }
}

it('opens a channel once the wallet’s frame says that it is ready', () => {
  const { frame, ports, post, stop } = openFrame()
  expect(frame.hidden).toBe(true)
  post('acme:ready')
  expect(ports).toHaveLength(1)
  post('acme:show')
  expect(frame.hidden).toBe(false)
  post('acme:hide')
  expect(frame.hidden).toBe(true)
  stop()
  expect(document.querySelector('iframe')).toBeNull()
})

it('ignores a frame that went to another origin, and other windows of the wallet’s origin', () => {
  const { frame, ports, post } = openFrame()
  post('acme:ready', 'https://evil.example')
  post('acme:ready', ORIGIN, window)
  post('acme:show', 'https://evil.example')
  expect(ports).toEqual([])
  expect(frame.hidden).toBe(true)
})

it('takes the port of an extension, and asks for it once', () => {
  const ports: MessagePort[] = []
  const stop = walletExtension()(port => ports.push(port))
  const { port1, port2 } = new MessageChannel()
  for (const source of [null, window, window]) {
    const event = new MessageEvent('message', { data: 'acme:port' })
    Object.defineProperties(event, { source: { value: source }, ports: { value: [port1] } })
    dispatchEvent(event)
  }
  expect(ports).toEqual([port1])
  stop()
  port1.close()
  port2.close()
})
