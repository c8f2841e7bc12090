/** Page's end of all three lanes, each with its own frame. */
import { systemClock } from '@keybay/kernel'
import { connectToFrame, createSender, waasProtocol } from '@keybay/waas/protocol'
import { connect, WindowMessenger } from 'penpal'
import { type Lane, type Path, REQUEST } from './lanes.js'

const frameUrl = new URL(new URLSearchParams(location.search).get('frame') ?? '')
const frameOrigin = frameUrl.origin

function embed(path: Path): HTMLIFrameElement {
  const iframe = document.createElement('iframe')
  iframe.src = `${frameUrl}?${new URLSearchParams({ path, host: location.origin })}`
  document.body.append(iframe)
  return iframe
}

/** Ports keep the order, so responses arrive in the order of the requests. */
async function raw(): Promise<Lane> {
  const { contentWindow } = embed('raw')
  await new Promise<void>(resolve => {
    addEventListener('message', ({ source }) => source === contentWindow && resolve())
  })
  const { port1, port2 } = new MessageChannel()
  const waiting: ((value: unknown) => void)[] = []
  port1.onmessage = ({ data }) => waiting.shift()?.(data)
  contentWindow?.postMessage('port', frameOrigin, [port2])
  return {
    ask: () =>
      new Promise(resolve => {
        waiting.push(resolve)
        port1.postMessage(REQUEST)
      }),
  }
}

async function keybay(): Promise<Lane> {
  const iframe = embed('keybay')
  const { port } = await connectToFrame({
    page: window,
    frame: () => iframe.contentWindow,
    frameOrigin,
    instanceId: 'bench',
    view: 'hidden',
    signal: AbortSignal.timeout(10_000),
  })
  const sender = createSender(waasProtocol, port, { clock: systemClock })
  return { ask: () => sender.send('signMessage', REQUEST) }
}

async function penpal(): Promise<Lane> {
  const { contentWindow } = embed('penpal')
  if (!contentWindow) throw new Error('The frame has no window.')
  const { promise } = connect<{ signMessage(request: typeof REQUEST): Promise<unknown> }>({
    messenger: new WindowMessenger({ remoteWindow: contentWindow, allowedOrigins: [frameOrigin] }),
  })
  const remote = await promise
  return { ask: () => remote.signMessage(REQUEST) }
}

window.lanes = { raw: await raw(), keybay: await keybay(), penpal: await penpal() }
