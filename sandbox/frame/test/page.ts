/** Embeds the frame by hand, so that a test can do what the kit's own client never would. */
import { systemClock, toKeybayError } from '@keybay/kernel/spec'
import {
  connectToFrame,
  createSender,
  type FrameView,
  type Sender,
  type WaasMessages,
  waasProtocol,
} from '@keybay/waas/protocol'

export interface Connected {
  readonly frame: HTMLIFrameElement
  readonly exchange: string
  readonly sender: Sender<WaasMessages>
}
/** Functions that a test calls through `page.evaluate`. */
export interface Tools {
  /** Adds an iframe to the page. */
  embed(address: string, sandbox?: string): HTMLIFrameElement
  /** Embeds the frame and shakes hands. Rejects after `patience` ms. */
  connect(address: string, view?: FrameView, patience?: number): Promise<Connected>
  /** Returns the outcome of a promise, in a form that can leave the page. */
  outcome(promise: Promise<unknown>): Promise<{ value?: unknown; code?: string; message?: string }>
  /** Connection kept between two evaluations. */
  connected?: Connected
}
declare global {
  interface Window {
    tools: Tools
  }
}

const SANDBOX = 'allow-scripts allow-same-origin allow-downloads'

function embed(address: string, sandbox = SANDBOX): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', sandbox)
  frame.allow = 'publickey-credentials-get; publickey-credentials-create'
  frame.src = address
  frame.width = '420'
  frame.height = '640'
  document.body.append(frame)
  return frame
}
window.tools = {
  embed,
  async connect(address, view = 'hidden', patience = 10_000) {
    const url = new URL(address)
    const frame = embed(address)
    const { port, exchange } = await connectToFrame({
      page: window,
      frame: () => frame.contentWindow,
      frameOrigin: url.origin,
      instanceId: url.searchParams.get('instanceId') ?? '',
      view,
      signal: AbortSignal.timeout(patience),
    })
    return { frame, exchange, sender: createSender(waasProtocol, port, { clock: systemClock }) }
  },
  async outcome(promise) {
    try {
      return { value: await promise }
    } catch (thrown) {
      const { code, message } = toKeybayError(thrown)
      return { code, message }
    }
  },
}
