/** Tests the frame's start in Chromium: allowed embedders, the frame's address, the port, and the code that may run. */
import type { WaasMessageType } from '@keybay/waas/protocol'
import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setUpEmbedder } from './embedder.js'

const world = setUpEmbedder({ apiAliases: ['http://localhost:4100/api/v0'] })
const accountAddress = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5'

async function getFrame(page: Page): Promise<Frame> {
  const handle = await page.waitForSelector('iframe')
  const frame = await handle.contentFrame()
  if (!frame) throw new Error('no frame')
  return frame
}

function embed(page: Page, address = world.address(), sandbox?: string) {
  return page.evaluate(([address, sandbox]) => void window.tools.embed(address, sandbox), [address, sandbox] as const)
}

/** Waits for the browser's refusal to show the frame. */
function whenBlocked(page: Page) {
  return page.waitForEvent('console', message => /frame-ancestors/.test(message.text()))
}

/** Returns an invented token of a user: no relay is involved. */
function getToken(user = 'user-1'): string {
  return `e30.${Buffer.from(JSON.stringify({ sub: user })).toString('base64url')}.sig`
}

/** Connects the page with the frame, and signs a user in. */
async function open(address = world.address()): Promise<Page> {
  const page = await world.visit()
  await page.evaluate(async address => {
    window.tools.connected = await window.tools.connect(address)
  }, address)
  expect(await signIn(page)).toEqual({ value: null })
  return page
}

async function signIn(page: Page) {
  const exchange = await page.evaluate(() => window.tools.connected?.exchange)
  return sendExactly(page, 'sendAuthToken', { authToken: getToken(), exchange })
}

/** Sends a message to the connected frame, with no other fields than the chain. */
function sendExactly(page: Page, type: WaasMessageType, payload: object = {}) {
  return page.evaluate(
    ([type, payload]) => {
      const { sender } = window.tools.connected ?? {}
      if (!sender) throw new Error('no port')
      return window.tools.outcome(Reflect.apply(sender.send, sender, [type, payload]))
    },
    [type, { chainName: 'SOL', ...payload }] as const,
  )
}

/** Sends a message about an account to the connected frame. */
function send(page: Page, type: 'isPasswordEncrypted' | 'signTypedData', payload: object) {
  return sendExactly(page, type, { authToken: getToken(), signedSessionId: 's', accountAddress, ...payload })
}

describe('the handshake', () => {
  it('[S2.1] the frame loads at its path with six parameters and the hidden frame’s sandbox, and shares one port', async () => {
    const page = await open()
    await page.evaluate(() => window.tools.connected?.sender.ping(5000))
    expect(await send(page, 'isPasswordEncrypted', {})).toEqual({ value: false })
    const { pathname, searchParams } = new URL((await getFrame(page)).url())
    expect(pathname).toBe('/waas-v1/local')
    expect([...searchParams.keys()].sort()).toEqual(
      ['baseApiUrl', 'baseMPCRelayApiUrl', 'environmentId', 'hostOrigin', 'instanceId', 'sdkVersion'].sort(),
    )
  })

  it.each(['http://localhost:4100/api/v0', 'http://localhost:4100', 'http://api.app.localhost:4100'])(
    '[S2.1] the frame starts for a page that names the API %s',
    async baseApiUrl => {
      await open(world.address({ baseApiUrl }))
    },
  )

  it('refuses an access token with the exchange value of another page load', async () => {
    const page = await world.visit()
    const outcome = await page.evaluate(
      async ([address, authToken]) => {
        const { sender } = await window.tools.connect(address)
        const payload = { chainName: 'SOL', authToken, exchange: 'x'.repeat(22) } as const
        return window.tools.outcome(sender.send('sendAuthToken', payload))
      },
      [world.address(), getToken()] as const,
    )
    expect(outcome.message).toBe('Failed to establish secure token exchange')
  })

  it('the frame refuses requests before sign-in, and requests for another user', async () => {
    const page = await open()
    for (const authToken of [getToken('user-2'), 'no token'])
      expect((await send(page, 'isPasswordEncrypted', { authToken })).code).toBe('frame_token_missing')
  })

  it('[S7.3] after cleanup the frame knows no user, until the next sendAuthToken', async () => {
    const page = await open()
    expect(await send(page, 'isPasswordEncrypted', {})).toEqual({ value: false })
    expect(await sendExactly(page, 'cleanup')).toEqual({ value: null })
    expect((await send(page, 'isPasswordEncrypted', {})).code).toBe('frame_token_missing')
    expect(await signIn(page)).toEqual({ value: null })
    expect(await send(page, 'isPasswordEncrypted', {})).toEqual({ value: false })
  })

  it('the frame refuses to sign typed data with a Solana account', async () => {
    const page = await open()
    const outcome = await send(page, 'signTypedData', { typedData: '{}' })
    expect(outcome.code).toBe('unsupported_chain')
  })
})

describe('hostile parameters', () => {
  it('the frame refuses to start with hostile parameters, shows the reason, and sends the page nothing', async () => {
    const page = await world.visit()
    const message = page.evaluate(
      () => new Promise(resolve => addEventListener('message', ({ data }) => resolve(data), { once: true })),
    )
    await embed(page, world.address({ baseApiUrl: 'http://api.evil.localhost:4100/api/v0' }))
    const alert = await (await getFrame(page)).waitForSelector('[role=alert]')
    expect(await alert.textContent()).toContain('The frame refuses to work for this page: baseApiUrl')
    const silence = await Promise.race([message.catch(() => 'gone'), page.evaluate(() => 'silent')])
    expect(silence).toBe('silent')
  })
})

describe('foreign embedders', () => {
  it('the frame is not shown in a page of another origin', async () => {
    const page = await world.visit('evil')
    const blocked = whenBlocked(page)
    await embed(page)
    await blocked
    expect((await getFrame(page)).url()).not.toContain('/waas-v1/')
  })

  it('the frame is not shown in an allowed page that a foreign page embeds', async () => {
    const page = await world.visit('evil')
    const blocked = whenBlocked(page)
    // An allowed page inside a foreign one: every ancestor counts.
    await embed(page, world.origin('app'))
    const inner = await getFrame(page)
    await inner.waitForFunction(() => 'tools' in window)
    await inner.evaluate(address => void window.tools.embed(address), world.address())
    await blocked
  })

  it('the frame gives no port to a sandboxed page, whose origin is null', async () => {
    const page = await world.visit()
    // A page at the allowed address, but without its origin.
    await embed(page, world.origin('app'), 'allow-scripts')
    const opaque = await getFrame(page)
    // Not the empty document that each frame begins with.
    await opaque.waitForFunction(() => document.title === 'host')
    expect(await opaque.evaluate(() => window.origin)).toBe('null')
    const blocked = whenBlocked(page)
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
    const page = await open()
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
    const page = await open()
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
