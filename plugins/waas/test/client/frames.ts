import {
  acceptFromPage,
  createReceiver,
  type FrameView,
  type Handlers,
  type WaasMessages,
  waasProtocol,
} from '../../src/protocol/index.js'

export type Frames = ReturnType<typeof installFrames>
type MakeHandlers = (view: FrameView, url: URL) => Handlers<WaasMessages>
export interface FrameOptions {
  /** False: the frame says nothing. */
  readonly works?: (() => boolean) | undefined
  /** The frame gets another nonce than the page posted. */
  readonly forgets?: ((view: FrameView) => boolean) | undefined
}

/** The frame's window: a target of its own, whose parent is the page. */
function createWindow(page: Window, url: URL) {
  const target = new EventTarget()
  const parent: Window = Object.create(page, {
    postMessage: {
      value: (data: unknown, targetOrigin: string) => {
        if (targetOrigin !== page.origin) return
        queueMicrotask(() =>
          page.dispatchEvent(
            Object.assign(new Event('message'), { source: self, origin: url.origin, data, ports: [] }),
          ),
        )
      },
    },
  })
  const self: Window = Object.create(page, {
    parent: { value: parent },
    addEventListener: { value: target.addEventListener.bind(target) },
    postMessage: {
      value: (data: unknown, targetOrigin: string, ports: readonly MessagePort[] = []) => {
        if (targetOrigin !== url.origin) return
        const event = Object.assign(new Event('message'), { source: parent, origin: page.origin, data, ports })
        queueMicrotask(() => target.dispatchEvent(event))
      },
    },
  })
  return self
}

/** Replaces every iframe of the page until `restore`. */
export function installFrames(
  makeHandlers: MakeHandlers,
  { works = () => true, forgets = () => false }: FrameOptions = {},
) {
  const page = window
  const loaded: URL[] = []
  const windows = new Map<HTMLIFrameElement, Window>()
  const closing: (() => void)[] = []
  const before = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')
  Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
    configurable: true,
    get(this: HTMLIFrameElement) {
      return (this.isConnected && windows.get(this)) || null
    },
  })
  // happy-dom loads nothing, and would say that this is an error: it sees no address.
  const addresses = new Map<HTMLIFrameElement, string>()
  const src = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'src')
  Object.defineProperty(HTMLIFrameElement.prototype, 'src', {
    configurable: true,
    get: () => '',
    set(this: HTMLIFrameElement, value: string) {
      addresses.set(this, value)
    },
  })
  const run = async (element: HTMLIFrameElement) => {
    const url = new URL(addresses.get(element) ?? '')
    loaded.push(url)
    const self = createWindow(page, url)
    windows.set(element, self)
    if (!works()) return
    const { port, view, checkExchange, close } = await acceptFromPage({
      self,
      hostOrigin: url.searchParams.get('hostOrigin') ?? '',
      instanceId: url.searchParams.get('instanceId') ?? '',
      allowedOrigins: [page.origin],
      // The page times out, not the frame.
      clock: { now: () => 0, after: () => () => {} },
      timeout: 0,
    })
    const receiver = createReceiver(
      waasProtocol,
      port,
      {
        sendAuthToken({ exchange }) {
          checkExchange(forgets(view) ? `${exchange}!` : exchange)
          return null
        },
        cleanup: () => null,
        ...makeHandlers(view, url),
      },
      { clock: { now: () => 0, after: () => () => {} } },
    )
    closing.push(receiver.close, close)
  }
  const watch = new MutationObserver(changes => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof HTMLIFrameElement && !windows.has(node)) void run(node)
  })
  watch.observe(document, { childList: true, subtree: true })
  /** Ends the loaded frames like a crash: they respond to nothing. */
  const stop = () => {
    for (const close of closing.splice(0)) close()
  }
  return {
    loaded,
    stop,
    restore() {
      watch.disconnect()
      stop()
      if (src) Object.defineProperty(HTMLIFrameElement.prototype, 'src', src)
      if (before) Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', before)
    },
  }
}
/** happy-dom lacks what every browser has: the page's own origin. */
export function preparePage(): void {
  const settings: unknown = Reflect.get(Object(Reflect.get(window, 'happyDOM')), 'settings')
  Reflect.set(Object(settings), 'enableIframePageLoading', true) // about:blank is one
  Object.defineProperty(window, 'origin', { configurable: true, value: location.origin })
}
