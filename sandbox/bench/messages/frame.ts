/** Frame's end of one lane (`?path=`), cross-site to the page. Answers at once, through a promise. */
import { systemClock } from '@keybay/kernel'
import { acceptFromPage, createReceiver, waasProtocol } from '@keybay/waas/protocol'
import { connect, WindowMessenger } from 'penpal'
import { ANSWER, type Path } from './lanes.js'

const query = new URLSearchParams(location.search)
const hostOrigin = query.get('host') ?? ''

async function answer() {
  return ANSWER
}

const ends: Readonly<Record<Path, () => unknown>> = {
  raw() {
    addEventListener('message', ({ ports: [port] }) => {
      if (port) port.onmessage = async () => port.postMessage(await answer())
    })
    parent.postMessage('ready', hostOrigin)
  },
  async keybay() {
    const clock = systemClock
    const allowedOrigins = [hostOrigin]
    const { port } = await acceptFromPage({
      self: window,
      hostOrigin,
      instanceId: 'bench',
      allowedOrigins,
      clock,
      timeout: 10_000,
    })
    createReceiver(waasProtocol, port, { signMessage: answer }, { clock })
  },
  penpal: () =>
    connect({
      messenger: new WindowMessenger({ remoteWindow: parent, allowedOrigins: [hostOrigin] }),
      methods: { signMessage: answer },
    }),
}
for (const [path, open] of Object.entries(ends)) if (path === query.get('path')) open()
