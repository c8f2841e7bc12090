import { describe, expect, it } from 'vitest'
import type { Host } from './pages/host.js'
import { setUpTwoOrigins } from './two-origins.js'

const origins = setUpTwoOrigins()
const OPTIONS = { timeout: 60_000 }

function requests() {
  return origins.asked.filter(({ pathname }) => pathname.startsWith('/waas-v1/'))
}

describe('the hidden frame', OPTIONS, () => {
  it('[S2.1] path, six parameters, sandbox flags', async () => {
    const page = await origins.visit()
    const seen = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      await host.acquire().ready()
      const [frame] = host.frames()
      return {
        sandbox: frame?.getAttribute('sandbox'),
        hidden: frame?.hidden,
        inBody: document.body.contains(frame ?? null),
      }
    })
    expect(seen).toEqual({ sandbox: 'allow-scripts allow-same-origin allow-downloads', hidden: true, inBody: false })
    const [url] = requests()
    expect(url?.pathname).toBe('/waas-v1/env-1')
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      instanceId: expect.stringMatching(/^[\w-]{22}$/),
      hostOrigin: origins.url('app'),
      environmentId: 'env-1',
      baseApiUrl: 'http://api.app.localhost:4100/api/v0',
      baseMPCRelayApiUrl: 'http://localhost:4300',
      sdkVersion: '0.1.0',
    })
  })

  it('[S4.6] the hidden frame is not loaded, then loading, and ready on its ready message', async () => {
    const page = await origins.visit()
    const seen = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const handle = host.acquire()
      const before = handle.state
      const sender = await handle.ready()
      const wallets = await sender.send('getWallets', {
        chainName: 'SOL',
        signedSessionId: 's',
        authToken: 'token-of-mara',
      })
      return { before, states: host.states, after: handle.state, wallets: wallets.length }
    })
    expect(seen).toEqual({ before: 'not-loaded', states: ['loading', 'ready'], after: 'ready', wallets: 1 })
  })

  it('[S4.7] [S9.4] retries the hidden frame once, 1 s after a timeout, then fails', async () => {
    origins.frameHost = 'says-nothing'
    const page = await origins.visit()
    const failing = page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const handle = host.acquire()
      return { outcome: await host.outcome(handle.ready()), state: handle.state, left: host.frames().length }
    })
    const frames = (count: number) =>
      page.waitForFunction(wanted => document.querySelectorAll('iframe').length === wanted, count)
    const advance = (ms: number) => page.evaluate(by => Reflect.get(globalThis, 'host').clock.advance(by), ms)
    await frames(1)
    await advance(9_999)
    await frames(1)
    await advance(1)
    await frames(0)
    await advance(999)
    await frames(0)
    await advance(1)
    await frames(1)
    await advance(10_000)
    expect(await failing).toEqual({
      outcome: {
        code: 'iframe_load_failed',
        message: 'Failed to load iframe after all retry attempts',
        cause: 'iframe_load_timeout',
      },
      state: 'failed',
      left: 0,
    })
    expect(new Set(requests().map(({ searchParams }) => searchParams.get('instanceId'))).size).toBe(2)
  })

  it('[S4.8] [S9.4] a failure resets the hidden frame and doubles the timeout, up to 60 s; the next try works', async () => {
    origins.frameHost = 'breaks-off'
    const page = await origins.visit()
    const waits = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const handle = host.acquire()
      const failed = async () => {
        const start = host.clock.now()
        let over = false
        const outcome = host.outcome(handle.ready()).then(() => {
          over = true
        })
        while (!over) await host.clock.advance(500)
        await outcome
        return host.clock.now() - start
      }
      return [await failed(), await failed(), await failed(), await failed(), await failed()]
    })
    // Twice the time-out, and the second between.
    expect(waits.map(ms => Math.round((ms - 1000) / 2000))).toEqual([10, 20, 40, 60, 60])
    origins.frameHost = 'works'
    const state = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const handle = host.acquire()
      await handle.ready()
      return handle.state
    })
    expect(state).toBe('ready')
  })

  it('[S4.9] callers share one hidden frame, which is removed when its count reaches 0', async () => {
    const page = await origins.visit()
    const seen = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const [first, second] = [host.acquire(), host.acquire()]
      const [a, b] = await Promise.all([first.ready(), second.ready()])
      const counts = [host.frames().length]
      first.release()
      first.release()
      counts.push(host.frames().length)
      const refused = await host.outcome(first.ready())
      second.release()
      counts.push(host.frames().length)
      return { same: a === b, counts, refused }
    })
    expect(seen).toEqual({
      same: true,
      counts: [1, 1, 0],
      refused: { code: 'message_handler_missing', message: 'Iframe message handler not initialized' },
    })
    expect(requests()).toHaveLength(1)
  })

  it('a caller that releases the hidden frame before it loads leaves no frame behind', async () => {
    const page = await origins.visit()
    const seen = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const handle = host.acquire()
      const outcome = host.outcome(handle.ready())
      handle.release()
      const early = await outcome
      const next = host.acquire()
      const loading = host.outcome(next.ready())
      while (!host.frames().length) await new Promise(requestAnimationFrame)
      next.release()
      return [early, await loading, host.frames().length, host.clock.pending()]
    })
    expect(seen).toEqual([
      expect.objectContaining({ code: 'aborted' }),
      expect.objectContaining({ code: 'aborted' }),
      0,
      0,
    ])
  })

  it('[S4.11] reloads a dead frame, and answers the requests that the dead frame did not acknowledge', async () => {
    const page = await origins.visit()
    const seen = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const sender = await host.acquire().ready()
      const [frame] = host.frames()
      // It goes elsewhere, as a crash would leave it: there, and deaf.
      const gone = new Promise(resolve => frame?.addEventListener('load', resolve, { once: true }))
      if (frame) frame.src = '/empty'
      await gone
      const authority = { chainName: 'SOL', signedSessionId: 's', authToken: 'token-of-mara' } as const
      const answer = sender.send('getWallets', authority)
      await host.clock.advance(5000) // no acknowledgement
      await host.clock.advance(1000) // nor any other sign of life
      return { wallets: (await answer).length, frames: host.frames().length }
    })
    expect(seen).toEqual({ wallets: 1, frames: 1 })
    expect(requests()).toHaveLength(2)
  })
})

describe('pages of other origins', OPTIONS, () => {
  it('the frame sends nothing to a page of another origin, whatever origin the page claims', async () => {
    const page = await origins.visit('evil', '/empty')
    const embed = async (hostOrigin: string) => {
      await page.evaluate(
        async ([wallet = '', claimed = '']) => {
          const heard: unknown[] = []
          Object.assign(globalThis, { heard })
          addEventListener('message', ({ data }) => heard.push(data))
          document.querySelector('iframe')?.remove()
          const frame = document.createElement('iframe')
          frame.src = `${wallet}/waas-v1/env-1?${new URLSearchParams({ instanceId: 'i', hostOrigin: claimed })}`
          const loaded = new Promise(resolve => frame.addEventListener('load', resolve))
          document.body.append(frame)
          await loaded
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = ({ data }) => heard.push(data)
          const offer = { type: 'keybay:waas:port', instanceId: 'i', exchange: 'e', view: 'hidden' }
          frame.contentWindow?.postMessage(offer, wallet, [port2])
          port1.postMessage([6, 1])
          frame.contentWindow?.postMessage('mark', wallet)
        },
        [origins.url('wallet'), hostOrigin],
      )
      const inner = page.frames().find(frame => frame.parentFrame())
      await inner?.waitForFunction(() => document.title.includes('marked'))
      const title = await inner?.title()
      return { title, heard: await page.evaluate(() => Reflect.get(globalThis, 'heard')) }
    }
    expect(await embed(origins.url('evil'))).toEqual({ title: 'frame_refused marked', heard: [] })
    expect(await embed('null')).toEqual({ title: 'frame_refused marked', heard: [] })
    // It waits for its page, and this is not it.
    expect(await embed(origins.url('app'))).toEqual({ title: 'page marked', heard: [] })
  })

  it('the frame reports an error to a page without an origin, and loads nothing', async () => {
    const page = await origins.visit('app', '/empty')
    const message = await page.evaluate(async app => {
      const frame = document.createElement('iframe')
      frame.setAttribute('sandbox', 'allow-scripts')
      frame.src = app
      document.body.append(frame)
      await new Promise(resolve => frame.addEventListener('load', resolve))
      return frame.isConnected
    }, origins.url('app'))
    expect(message).toBe(true)
    const inner = page.frames().find(frame => frame.parentFrame())
    const origin = await inner?.evaluate(() => {
      const host: Host = Reflect.get(globalThis, 'host')
      const said = (() => {
        try {
          host.acquire()
          return 'loaded'
        } catch (error) {
          return Reflect.get(Object(error), 'message')
        }
      })()
      return { origin: location.origin, said, self: globalThis.origin }
    })
    expect(origin?.self).toBe('null')
    expect(origin?.said).toBe('Invalid record: WalletClientParameters.hostOrigin')
    expect(requests()).toEqual([])
  })

  it('the hidden frame refuses a second port', async () => {
    const page = await origins.visit()
    const seen = await page.evaluate(async wallet => {
      const host: Host = Reflect.get(globalThis, 'host')
      const sender = await host.acquire().ready()
      const [frame] = host.frames()
      const instanceId = new URL(frame?.src ?? '').searchParams.get('instanceId')
      const { port1, port2 } = new MessageChannel()
      const heard: unknown[] = []
      port1.onmessage = ({ data }) => heard.push(data)
      frame?.contentWindow?.postMessage(
        { type: 'keybay:waas:port', instanceId, exchange: 'e', view: 'hidden' },
        wallet,
        [port2],
      )
      port1.postMessage([6, 1])
      // Repeats over the first port what it said after it had seen the second.
      const account = { chainName: 'SOL', signedSessionId: 's', authToken: 't', accountAddress: 'a' } as const
      const answers: boolean[] = []
      while (answers.length < 50) answers.push(await sender.send('isPasswordEncrypted', account))
      return { heard, answers: answers.length }
    }, origins.url('wallet'))
    expect(seen).toEqual({ heard: [], answers: 50 })
  })
})

describe('the connector in a page', OPTIONS, () => {
  it('connects silently, signs, and opens the visible frame for a request that needs consent', async () => {
    const page = await origins.visit()
    const seen = await page.evaluate(async () => {
      const host: Host = Reflect.get(globalThis, 'host')
      const { keybay, events } = host.start()
      const { accounts } = await keybay.connect('waas')
      const [account] = accounts
      if (!account) throw new Error('no account')
      const { signMessage } = keybay.connectors.get('waas').wallet.features['solana:signMessage']
      const sign = async (text: string) =>
        (await signMessage({ account, message: new TextEncoder().encode(text) }))[0]?.signature[0]
      const hidden = await sign('hello')
      const asking = sign('dear')
      while (!document.querySelector('dialog iframe')) await new Promise(requestAnimationFrame)
      const frame = document.querySelector('dialog iframe')
      const shown = {
        title: frame?.getAttribute('title'),
        sandbox: frame?.getAttribute('sandbox'),
        modal: document.querySelector('dialog')?.matches(':modal'),
      }
      const visible = await asking
      const left = document.querySelectorAll('dialog').length
      const proved = await sign('proved')
      keybay.dispose()
      const names = events.map(event => (Array.isArray(event) ? event[0] : ''))
      return { hidden, shown, visible, left, proved, names, frames: host.frames().length }
    })
    expect(seen).toMatchObject({
      hidden: 1,
      shown: { title: 'wallet storage', sandbox: 'allow-scripts allow-same-origin', modal: true },
      visible: 2,
      left: 0,
      proved: 1,
      frames: 0,
    })
    expect(seen.names).toContain('waas:consent')
  })

  it.each(['Escape', 'Cancel'])(
    'says that the wallet opens, and rejects with user_rejected when the user leaves by %s',
    async by => {
      const page = await origins.visit()
      const asking = page.evaluate(async by => {
        const host: Host = Reflect.get(globalThis, 'host')
        const { keybay } = host.start()
        const { accounts } = await keybay.connect('waas')
        const [account] = accounts
        if (!account) throw new Error('no account')
        const { signMessage } = keybay.connectors.get('waas').wallet.features['solana:signMessage']
        const said: (string | null)[] = []
        const stop = new MutationObserver(() => {
          const dialog = document.querySelector('dialog')
          if (!dialog) return
          said.push(dialog.querySelector('[role="status"]')?.textContent ?? null)
          if (by === 'Escape') dialog.dispatchEvent(new Event('cancel'))
          else dialog.querySelector('button')?.click()
        })
        stop.observe(document.body, { childList: true })
        const refused = await host.outcome(signMessage({ account, message: new TextEncoder().encode('dear') }))
        return { refused, said, left: document.querySelectorAll('dialog').length }
      }, by)
      expect(await asking).toMatchObject({ refused: { code: 'user_rejected' }, said: ['Opening the wallet'], left: 0 })
    },
  )
})
