// @vitest-environment happy-dom
import { fakeClock } from '@keybay/kernel/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { acceptFromPage, connectToFrame, isExactOrigin } from '../../src/protocol/index.js'
import { atEnd, settle } from './support.js'

const HOST = 'http://app.localhost:4000'
const FRAME = 'http://wallet.localhost:4200'
interface Sent {
  readonly data: unknown
  readonly target: unknown
  readonly ports: readonly MessagePort[]
}
/** A window that takes messages, and says to whom they were addressed. */
function createWindow(): { readonly window: Window; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const target = new EventTarget()
  const window: Window = Object.create(globalThis.window, {
    addEventListener: { value: target.addEventListener.bind(target) },
    dispatchEvent: { value: target.dispatchEvent.bind(target) },
    postMessage: {
      value: (data: unknown, targetOrigin: unknown, ports: readonly MessagePort[] = []) =>
        sent.push({ data, target: targetOrigin, ports }),
    },
  })
  return { window, sent }
}

interface Delivered {
  readonly data: unknown
  readonly source: unknown
  readonly origin: string
  readonly ports?: readonly MessagePort[]
}

function deliver(to: Window, message: Delivered) {
  return to.dispatchEvent(Object.assign(new Event('message'), { ports: [], ...message }))
}

describe('connecting from the page', () => {
  const instanceId = 'i1'
  const ready = { type: 'keybay:waas:ready', instanceId, exchange: 'theirs' }
  let page = createWindow()
  let frame = createWindow()
  let control = new AbortController()
  let connecting: ReturnType<typeof connectToFrame>
  beforeEach(() => {
    page = createWindow()
    frame = createWindow()
    control = new AbortController()
    connecting = connectToFrame({
      page: page.window,
      frame: () => frame.window,
      frameOrigin: FRAME,
      instanceId,
      view: 'visible',
      signal: control.signal,
    })
    connecting.catch(() => {})
    atEnd(() => control.abort())
  })
  const takePort = (): MessagePort => {
    const [port] = frame.sent[0]?.ports ?? []
    if (!port) throw new Error('no port was sent')
    atEnd(() => port.close())
    return port
  }

  it('the page posts one port to the exact origin of the frame and waits for its reply', async () => {
    deliver(page.window, { data: ready, source: frame.window, origin: FRAME })
    const [first] = frame.sent
    expect(first).toMatchObject({ target: FRAME, data: { type: 'keybay:waas:port', instanceId, view: 'visible' } })
    expect(first?.ports).toHaveLength(1)
    const exchange = Reflect.get(Object(first?.data), 'exchange')
    takePort().postMessage({ type: 'keybay:waas:hello', instanceId, exchange })
    expect((await connecting).exchange).toBe('theirs')
    deliver(page.window, { data: ready, source: frame.window, origin: FRAME })
    expect(frame.sent).toHaveLength(1)
  })

  it('the page ignores messages of another origin, “null”, another window or another instance', async () => {
    const sound = { data: ready, source: frame.window, origin: FRAME }
    for (const origin of ['http://evil.localhost:4200', 'null']) deliver(page.window, { ...sound, origin })
    deliver(page.window, { ...sound, source: createWindow().window })
    const foreign = { ...ready, instanceId: 'i2' }
    for (const data of [foreign, null, 'ready', { type: ready.type }, { ...ready, exchange: 1 }])
      deliver(page.window, { ...sound, data })
    expect(frame.sent).toEqual([])
  })

  it('[S8.4] Failed to establish secure token exchange: the other end of the port repeats another nonce', async () => {
    deliver(page.window, { data: ready, source: frame.window, origin: FRAME })
    takePort().postMessage({ type: 'keybay:waas:hello', instanceId, exchange: 'guessed' })
    await expect(connecting).rejects.toThrow('Failed to establish secure token exchange')
  })

  it('connecting to the frame rejects when its signal aborts', async () => {
    control.abort()
    await expect(connecting).rejects.toMatchObject({ code: 'aborted' })
    deliver(page.window, { data: ready, source: frame.window, origin: FRAME })
    expect(frame.sent).toEqual([])
  })
})

describe('accepting in the frame', () => {
  const instanceId = 'i1'
  const create = (options: { hostOrigin?: string; allowedOrigins?: readonly string[] } = {}) => {
    const parent = createWindow()
    const frame = createWindow()
    const self: Window = Object.create(frame.window, { parent: { value: parent.window } })
    const clock = fakeClock()
    const from = { hostOrigin: HOST, allowedOrigins: [HOST], instanceId, ...options }
    const accepting = acceptFromPage({ self, ...from, clock, timeout: 10_000 })
    accepting.catch(() => {})
    return { parent, self, clock, accepting }
  }
  const offer = { type: 'keybay:waas:port', instanceId, exchange: 'ours' }
  const channel = () => {
    const { port1, port2 } = new MessageChannel()
    atEnd(() => port1.close())
    const received: unknown[] = []
    port1.onmessage = ({ data }) => received.push(data)
    return { port2, heard: received }
  }

  it('the frame posts ready to the exact origin of its page and replies over the port', async () => {
    const { parent, self, accepting } = create()
    expect(parent.sent).toMatchObject([{ target: HOST, data: { type: 'keybay:waas:ready', instanceId } }])
    const { port2, heard } = channel()
    deliver(self, { data: offer, source: parent.window, origin: HOST, ports: [port2] })
    const { checkExchange, view } = await accepting
    expect(view).toBe('hidden')
    await settle()
    expect(heard).toEqual([{ type: 'keybay:waas:hello', instanceId, exchange: 'ours' }])
    const said = String(Reflect.get(Object(parent.sent[0]?.data), 'exchange'))
    expect(() => checkExchange(said)).not.toThrow()
    expect(() => checkExchange(`${said.slice(0, -1)}!`)).toThrow('Failed to establish secure token exchange')
    expect(() => checkExchange('')).toThrow('Failed to establish secure token exchange')
  })

  it('the frame refuses a second port', async () => {
    const { parent, self, accepting } = create()
    const [first, second] = [channel(), channel()]
    for (const { port2 } of [first, second])
      deliver(self, { data: offer, source: parent.window, origin: HOST, ports: [port2] })
    await accepting
    await settle()
    expect([first.heard.length, second.heard.length]).toEqual([1, 0])
  })

  it('the frame accepts no port of another origin, “null”, another window or another instance, and not two at once', async () => {
    const { parent, self, clock, accepting } = create()
    const bad = [
      { data: offer, source: parent.window, origin: 'http://evil.localhost' },
      { data: offer, source: parent.window, origin: 'null' },
      { data: offer, source: createWindow().window, origin: HOST },
      { data: { ...offer, instanceId: 'i2' }, source: parent.window, origin: HOST },
    ]
    const heards = bad.map(message => {
      const { port2, heard } = channel()
      deliver(self, { ...message, ports: [port2] })
      return heard
    })
    const two = [channel(), channel()]
    deliver(self, { data: offer, source: parent.window, origin: HOST, ports: two.map(({ port2 }) => port2) })
    await settle()
    expect([...heards, ...two.map(({ heard }) => heard)].flat()).toEqual([])
    await clock.advance(10_000)
    await expect(accepting).rejects.toThrow('Iframe load timeout due to no handshake message')
  })

  it('the frame refuses to start for an origin that is not allowed, is “null”, or is not an origin', async () => {
    for (const hostOrigin of ['http://evil.localhost', 'null', `${HOST}/`, '*', ''])
      for (const allowedOrigins of [[HOST], [hostOrigin]]) {
        const { parent, accepting } = create({ hostOrigin, allowedOrigins })
        if (hostOrigin === allowedOrigins[0] && isExactOrigin(hostOrigin)) continue
        await expect(accepting).rejects.toMatchObject({ code: 'frame_refused' })
        expect(parent.sent).toEqual([])
      }
  })

  it('the frame code refuses to start outside a frame', async () => {
    const { window } = createWindow()
    const self: Window = Object.create(window, {})
    Object.defineProperty(self, 'parent', { value: self })
    const from = { hostOrigin: HOST, allowedOrigins: [HOST], instanceId }
    const accepting = acceptFromPage({ self, ...from, clock: fakeClock(), timeout: 1 })
    await expect(accepting).rejects.toMatchObject({ code: 'frame_refused' })
  })
})
