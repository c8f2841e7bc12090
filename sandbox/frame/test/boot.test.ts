/** Tests the frame's start in Chromium: allowed embedders, the frame's address, the port, and the code that may run. */
import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setUpEmbedder } from './embedder.js'

const world = setUpEmbedder({ apiAliases: ['http://localhost:4100/api/v0'] })

async function getFrame(page: Page): Promise<Frame> {
  const handle = await page.waitForSelector('iframe')
  const frame = await handle.contentFrame()
  if (!frame) throw new Error('no frame')
  return frame
}
/** Returns the text of the frame's alert. */
async function refusal(page: Page): Promise<string | null> {
  const frame = await getFrame(page)
  return (await frame.waitForSelector('[role=alert]')).textContent()
}

function embed(page: Page, address: string, sandbox?: string) {
  return page.evaluate(([address, sandbox]) => void window.tools.embed(address, sandbox), [address, sandbox] as const)
}

/** Connects and signs a user in with an invented token: no relay is involved. */
async function signIn(page: Page, address = world.address()): Promise<void> {
  await page.evaluate(async address => {
    const connected = await window.tools.connect(address)
    window.tools.connected = connected
    const authToken = `e30.${btoa(JSON.stringify({ sub: 'user-1' })).replaceAll('=', '')}.sig`
    await connected.sender.send('sendAuthToken', { chainName: 'SOL', authToken, exchange: connected.exchange })
  }, address)
}

describe('the handshake', () => {
  it('[S2.1] the frame loads at its path with six parameters and the hidden frame’s sandbox, and shares one port', async () => {
    const page = await world.visit()
    await signIn(page)
    const answer = await page.evaluate(async () => {
      const { sender } = window.tools.connected ?? {}
      if (!sender) throw new Error('no port')
      await sender.ping(5000)
      const authToken = `e30.${btoa(JSON.stringify({ sub: 'user-1' })).replaceAll('=', '')}.sig`
      const accountAddress = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5'
      return sender.send('isPasswordEncrypted', { chainName: 'SOL', authToken, signedSessionId: 's', accountAddress })
    })
    expect(answer).toBe(false)
    const frame = await getFrame(page)
    const { pathname, searchParams } = new URL(frame.url())
    expect(pathname).toBe('/waas-v1/local')
    expect([...searchParams.keys()].sort()).toEqual(
      ['baseApiUrl', 'baseMPCRelayApiUrl', 'environmentId', 'hostOrigin', 'instanceId', 'sdkVersion'].sort(),
    )
  })

  it.each(['http://localhost:4100/api/v0', 'http://localhost:4100', 'http://api.app.localhost:4100'])(
    '[S2.1] the frame starts for a page that names the API %s',
    async baseApiUrl => {
      const page = await world.visit()
      await signIn(page, world.address({ baseApiUrl }))
    },
  )

  it('refuses an access token with the exchange value of another page load', async () => {
    const page = await world.visit()
    const outcome = await page.evaluate(async address => {
      const { sender } = await window.tools.connect(address)
      const authToken = `e30.${btoa(JSON.stringify({ sub: 'user-1' })).replaceAll('=', '')}.sig`
      return window.tools.outcome(
        sender.send('sendAuthToken', { chainName: 'SOL', authToken, exchange: 'x'.repeat(22) }),
      )
    }, world.address())
    expect(outcome.message).toBe('Failed to establish secure token exchange')
  })

  it('the frame refuses requests before sign-in, and requests for another user', async () => {
    const page = await world.visit()
    await signIn(page)
    const outcomes = await page.evaluate(async () => {
      const { sender } = window.tools.connected ?? {}
      if (!sender) throw new Error('no port')
      const other = `e30.${btoa(JSON.stringify({ sub: 'user-2' })).replaceAll('=', '')}.sig`
      const ask = (authToken: string) =>
        window.tools.outcome(
          sender.send('isPasswordEncrypted', {
            chainName: 'SOL',
            authToken,
            signedSessionId: 's',
            accountAddress: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
          }),
        )
      return Promise.all([ask(other), ask('no token')])
    })
    expect(outcomes.map(({ code }) => code)).toEqual(['frame_token_missing', 'frame_token_missing'])
  })

  it('the frame does not respond to a second port of the same page', async () => {
    const page = await world.visit()
    await signIn(page)
    const heard = await page.evaluate(async address => {
      const { frame, sender } = window.tools.connected ?? {}
      const heard: unknown[] = []
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => heard.push(data)
      const offer = { type: 'keybay:waas:port', instanceId: 'instance-0001', exchange: 'mine', view: 'hidden' }
      frame?.contentWindow?.postMessage(offer, new URL(address).origin, [port2])
      // A second receiver would answer this at once, before the first port answers the pings.
      port1.postMessage([6, 1])
      await sender?.ping(5000)
      await sender?.ping(5000)
      return heard
    }, world.address())
    expect(heard).toEqual([])
  })

  it('the frame refuses to sign typed data with a Solana account', async () => {
    const page = await world.visit()
    await signIn(page)
    const outcome = await page.evaluate(() => {
      const { sender } = window.tools.connected ?? {}
      if (!sender) throw new Error('no port')
      const payload = {
        chainName: 'SOL',
        authToken: 'a',
        signedSessionId: 's',
        accountAddress: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
        typedData: '{}',
      } as const
      return window.tools.outcome(sender.send('signTypedData', payload))
    })
    expect(outcome.code).toBe('unsupported_chain')
  })
})

describe('hostile parameters', () => {
  it('the frame refuses to start with hostile parameters, shows the reason, and sends the page nothing', async () => {
    const page = await world.visit()
    const heard = page.evaluate(
      () => new Promise(resolve => addEventListener('message', ({ data }) => resolve(data), { once: true })),
    )
    await embed(page, world.address({ baseApiUrl: 'http://api.evil.localhost:4100/api/v0' }))
    expect(await refusal(page)).toContain('The frame refuses to work for this page: baseApiUrl')
    const silence = await Promise.race([heard.catch(() => 'gone'), page.evaluate(() => 'silent')])
    expect(silence).toBe('silent')
  })
})

describe('foreign embedders', () => {
  it('the frame is not shown in a page of another origin', async () => {
    const page = await world.visit('evil')
    const blocked = page.waitForEvent('console', message => /frame-ancestors/.test(message.text()))
    await embed(page, world.address())
    await blocked
    const frame = await getFrame(page)
    expect(frame.url()).not.toContain('/waas-v1/')
  })

  it('the frame is not shown in an allowed page that a foreign page embeds', async () => {
    const page = await world.visit('evil')
    const blocked = page.waitForEvent('console', message => /frame-ancestors/.test(message.text()))
    // An allowed page inside a foreign one: every ancestor counts.
    await embed(page, world.origin('app'))
    const inner = await getFrame(page)
    await inner.waitForFunction(() => 'tools' in window)
    await inner.evaluate(address => void window.tools.embed(address), world.address())
    await blocked
  })

  it('the frame does not start without an embedding page', async () => {
    const context = await world.newContext()
    const page = await context.newPage()
    await page.goto(world.address())
    expect(await page.locator('[role=alert]').textContent()).toContain('The frame refuses to work for this page')
  })

  it('the frame gives no port to a sandboxed page, whose origin is null', async () => {
    const page = await world.visit()
    // A page at the allowed address, but without its origin.
    await page.evaluate(origin => void window.tools.embed(origin, 'allow-scripts'), world.origin('app'))
    const opaque = await getFrame(page)
    await opaque.waitForFunction(() => document.readyState === 'complete')
    const origin = await opaque.evaluate(() => window.origin)
    expect(origin).toBe('null')
    const blocked = page.waitForEvent('console', message => /frame-ancestors/.test(message.text()))
    await opaque.evaluate(address => {
      const frame = document.createElement('iframe')
      frame.src = address
      document.body.append(frame)
    }, world.address())
    await blocked
  })
})

describe('code in the frame', () => {
  it('the frame runs no code from strings, no inline script and no foreign script', async () => {
    const page = await world.visit()
    await signIn(page)
    const frame = await getFrame(page)
    const results = await frame.evaluate(async () => {
      const attempt = (act: () => unknown) => {
        try {
          act()
          return 'ran'
        } catch (error) {
          return error instanceof Error ? error.name : 'threw'
        }
      }
      const refusedRequest = new Promise<string>(resolve => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          if (effectiveDirective === 'connect-src') resolve(blockedURI)
        })
      })
      // Runs later, in a task of the page: the policy does not apply to the debugger's own evaluations.
      const later = <T>(act: () => T) => new Promise<T>(resolve => setTimeout(() => resolve(act())))
      const script = () => document.createElement('script')
      return {
        string: await later(() => attempt(() => Reflect.construct(Function, ['return 1']))),
        timer: await later(() => attempt(() => Reflect.apply(setTimeout, window, ['window.ran = true']))),
        html: attempt(() => {
          document.body.innerHTML = '<b>x</b>'
        }),
        address: attempt(() => {
          script().src = 'https://evil.example/x.js'
        }),
        policy: attempt(() =>
          Reflect.get(window, 'trustedTypes').createPolicy('another', { createHTML: (s: string) => s }),
        ),
        handler: attempt(() => document.createElement('button').setAttribute('onclick', 'window.ran = true')),
        inline: attempt(() => {
          script().textContent = 'window.ran = true'
        }),
        request: await fetch('https://evil.example/').then(
          () => 'answered',
          () => refusedRequest,
        ),
        ran: 'ran' in window,
      }
    })
    expect(results).toEqual({
      string: 'EvalError',
      timer: 'TypeError',
      html: 'TypeError',
      address: 'TypeError',
      policy: 'TypeError',
      handler: 'TypeError',
      inline: 'TypeError',
      request: 'https://evil.example/',
      ran: false,
    })
  })

  it('the frame loads one page, one script and one style, each by its hash and only from its own origin', async () => {
    const page = await world.visit()
    await signIn(page)
    const frame = await getFrame(page)
    const resources = await frame.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(entry => ['script', 'link', 'css', 'img'].includes(Reflect.get(entry, 'initiatorType')))
        .map(({ name }) => new URL(name).origin === location.origin),
    )
    expect(resources.length).toBeGreaterThan(0)
    expect(resources.every(Boolean)).toBe(true)
    const scripts = await frame.evaluate(() =>
      [...document.querySelectorAll('script, link')].map(element => element.getAttribute('integrity')),
    )
    expect(scripts.length).toBeGreaterThan(0)
    for (const integrity of scripts) expect(integrity).toMatch(/^sha384-/)
  })
})
