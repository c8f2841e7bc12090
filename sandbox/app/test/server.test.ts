import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../dist/server/index.js'

const chainUrl = 'http://localhost:18899'
const chainWsUrl = 'ws://localhost:18900'
const apiUrl = 'http://api.app.localhost:14100/api/v0'
const inboxUrl = 'http://localhost:14600'
const frameUrl = 'http://wallet.localhost:14200'
const relayUrl = 'http://localhost:14300/api/v0'
const identityUrl = 'http://identity.localhost:14500'
const appleScript = `${identityUrl}/apple/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js`

/** Requests with a host name that an attacker's DNS server maps to this machine. @returns the status */
function requestFromAttacker(url: string, options: RequestOptions = {}, body = '') {
  const headers = { ...options.headers, host: 'attacker.example' }
  return new Promise<number | undefined>((resolve, reject) => {
    request(url, { ...options, headers }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end(body)
  })
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const

/** Requests with these headers as they are; `fetch` sends an `accept-encoding` of its own. */
function requestEncoded(url: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    request(url, { headers }, async response => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part)
      const encoding = response.headers['content-encoding']
      const body = Buffer.concat(parts)
      const text = encoding === 'br' || encoding === 'gzip' ? decoders[encoding](body) : body
      resolve({ status: response.statusCode, headers: response.headers, text: text.toString() })
    })
      .on('error', reject)
      .end()
  })
}

describe('the server', () => {
  let app: App
  let base: string
  beforeAll(async () => {
    app = await startApp({ port: 0, chainUrl, chainWsUrl, apiUrl, inboxUrl, frameUrl, relayUrl, identityUrl })
    // Node does not resolve *.localhost.
    base = `http://127.0.0.1:${app.port}`
  })
  afterAll(() => app.stop())

  it('the app server reports the address that a browser opens', () => {
    expect(app.url).toBe(`http://app.localhost:${app.port}`)
  })

  it('the app server writes the addresses of its services into the page', async () => {
    const page = await (await fetch(base)).text()
    const addresses = { 'chain-url': chainUrl, 'chain-ws-url': chainWsUrl, 'api-url': apiUrl, 'inbox-url': inboxUrl }
    const more = { 'frame-url': frameUrl, 'relay-url': relayUrl, 'apple-script-url': appleScript }
    for (const [name, content] of Object.entries({ ...addresses, ...more, 'environment-id': 'local' }))
      expect(page).toContain(`<meta name="keybay:${name}" content="${content}"`)
    for (const usual of ['localhost:8899', 'localhost:4100', 'localhost:4600', 'localhost:4200', 'localhost:4300'])
      expect(page).not.toContain(usual)
  })

  it.each(['/send', '/tx/5Sj9', '/address/abc?from=mail'])(
    'the app server responds to %s with the page',
    async path => {
      const response = await fetch(base + path)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(response.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it.each(['/nothing.js', '/assets/nothing', '/../package.json', '/%2e%2e/%2e%2e/package.json'])(
    'the app server responds to %s with 404, because the file does not exist',
    async path => expect((await fetch(base + path)).status).toBe(404),
  )

  it('sends the home page’s text before any script runs, and at other addresses the header alone', async () => {
    const [home, send] = await Promise.all(['/', '/send'].map(async path => (await fetch(base + path)).text()))
    for (const page of [home, send]) expect(page).toContain('aria-label="Main"')
    expect(home).toContain('<h1 tabindex="-1">Sign-in and wallets for your app</h1>')
    expect(send).not.toContain('<h1')
    // Nothing in it takes the focus or a click, because no code answers yet.
    expect(home).toMatch(/<div id="root"><div class="shell" inert="">/)
    expect(home?.match(/<button /g)?.length).toBe(home?.match(/<button disabled="" /g)?.length)
  })

  it('the app server marks hashed files as immutable', async () => {
    const [path = ''] = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(base)).text()) ?? []
    const response = await fetch(base + path)
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
  })

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('answers a browser that accepts %s with pages and files encoded as %s', async (accepted, encoding) => {
    const page = await requestEncoded(base, { 'accept-encoding': accepted })
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(page.text) ?? []
    const file = await requestEncoded(base + script, { 'accept-encoding': accepted })
    for (const { headers, text } of [page, file]) {
      expect(headers).toMatchObject({ vary: expect.stringMatching(/accept-encoding/i), etag: expect.any(String) })
      expect([headers['content-encoding'], text.includes('Keybay')]).toEqual([encoding, true])
    }
    const again = await requestEncoded(base, {
      'accept-encoding': accepted,
      'if-none-match': String(page.headers.etag),
    })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('gives each encoding of a page its own ETag', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', ''].map(
        async accepted => (await requestEncoded(base, { 'accept-encoding': accepted })).headers.etag,
      ),
    )
    expect(new Set(tags).size).toBe(3)
  })

  it('the app’s policy allows only its own scripts, Apple’s script and its services, and forbids framing', async () => {
    for (const path of ['/', '/send', '/auth/social/google']) {
      const { headers } = await fetch(base + path)
      const policy = Object.fromEntries(
        (headers.get('content-security-policy') ?? '').split('; ').map(line => {
          const [name = '', ...sources] = line.split(' ')
          return [name, sources]
        }),
      )
      expect(policy).toMatchObject({
        'default-src': ["'none'"],
        'script-src': ["'self'", appleScript],
        'style-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      })
      expect(policy['frame-src']).toEqual([frameUrl])
      expect(policy['connect-src']).toEqual(
        expect.arrayContaining(["'self'", chainUrl, chainWsUrl, new URL(apiUrl).origin]),
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('a file of the app allows nothing by itself, and spends less than 600 bytes on headers', async () => {
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(base)).text()) ?? []
    for (const path of [script, '/theme.js', '/favicon.svg', '/nothing.js', '/.well-known/jwks.json']) {
      const { headers } = await fetch(base + path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      expect([...headers].map(header => header.join(': ')).join('\r\n').length).toBeLessThan(600)
    }
  })

  it('the app’s policy allows the script from Apple’s server if the sandbox has no providers', async () => {
    const real = await startApp({ port: 0, chainUrl, chainWsUrl, apiUrl })
    const { headers } = await fetch(`http://127.0.0.1:${real.port}`)
    await real.stop()
    expect(headers.get('content-security-policy')).toMatch(
      /script-src 'self' https:\/\/appleid\.cdn-apple\.com\/\S+\.js;/,
    )
  })

  it('the app isolates its windows, except for the window that returns from a provider', async () => {
    const getPolicy = async (path: string) => (await fetch(base + path)).headers.get('cross-origin-opener-policy')
    expect(await getPolicy('/account')).toBe('same-origin-allow-popups')
    expect(await getPolicy('/auth/social/google')).toBe('unsafe-none')
    const page = await (await fetch(`${base}/auth/social/google?code=1`)).text()
    expect(page).toContain('<title>Signing in</title>')
    expect(page).toContain('<h1>Signing in …</h1>')
    expect(page).not.toContain('keybay:')
  })

  it('the window that returns from a provider loads less than 8 KB of code and styles', async () => {
    const page = await (await fetch(`${base}/auth/social/google?code=1`)).text()
    const urls = [...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, url = '']) => base + url)
    expect(urls.length).toBeGreaterThan(1)
    const sizes = await Promise.all(
      urls.map(async url => Number((await fetch(url, { method: 'HEAD' })).headers.get('content-length'))),
    )
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(8_000)
  })

  it('the app server refuses POST requests to the page', async () => {
    const response = await fetch(base, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  describe('as a host with its own accounts', () => {
    const ask = (body: string, type = 'application/json') =>
      fetch(`${base}/host-token`, { method: 'POST', headers: { 'content-type': type }, body })

    it('the host names the user in a signed token, and publishes the key that verifies the token', async () => {
      const { token } = await (await ask('{"user":"mara"}')).json()
      const keys = await (await fetch(app.jwksUrl)).json()
      const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
        issuer: app.url,
        audience: 'local',
      })
      expect([payload.sub, protectedHeader.alg]).toEqual(['mara', 'ES256'])
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
      expect(JSON.stringify(keys)).not.toContain('"d"')
    })

    it('gives no host token to a page that uses another host name', async () => {
      const headers = { 'content-type': 'application/json' }
      expect(await requestFromAttacker(`${base}/host-token`, { method: 'POST', headers }, '{"user":"mara"}')).toBe(403)
    })

    it.each([
      ['no user', '{}'],
      ['a user that is none', '{"user":"<b>"}'],
      ['what is not JSON', 'user=mara'],
      ['what is too long', JSON.stringify({ user: 'mara', more: 'x'.repeat(2000) })],
    ])('refuses a host token for %s', async (_, body) => {
      expect((await ask(body)).status).toBe(400)
    })

    it('refuses a host token to a form, which any page could send', async () => {
      expect((await ask('{"user":"mara"}', 'text/plain')).status).toBe(400)
    })
  })
})

describe('with a scheduler', () => {
  const folder = temporaryFolder()
  let app: App
  let base: string
  beforeAll(async () => {
    app = await startApp({ port: 0, chainUrl, chainWsUrl, apiUrl, dataDir: folder })
    base = `http://127.0.0.1:${app.port}`
  })
  afterAll(() => app.stop())
  const send = (method: string, path: string, body?: object) =>
    fetch(base + path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  const order = {
    sealedShare: Buffer.from('{}').toString('base64'),
    to: 'So11111111111111111111111111111111111111112',
    lamports: 1,
    every: 60,
    times: 1,
  }

  it('returns the scheduler’s name and public key, which the page needs for a delegation', async () => {
    const { name, publicKey } = await (await send('GET', '/scheduler')).json()
    expect([name, Buffer.from(publicKey, 'base64url').length]).toEqual(['Sandbox scheduler', 32])
  })
  it('the scheduler refuses a bundle that is not a delegation for it', async () => {
    const answer = await send('POST', '/scheduler', order)
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'delegate_bundle_unreadable'])
  })
  it.each([
    ['no address', { to: 'mara' }],
    ['nothing to pay', { lamports: 0 }],
    ['too often', { every: 1 }],
    ['never', { times: 0 }],
    ['what it does not know', { more: true }],
  ])('the scheduler refuses an order with a wrong field: %s', async (_, wrong) => {
    expect((await send('POST', '/scheduler', { ...order, ...wrong })).status).toBe(400)
  })
  it('the scheduler has no status for a delegation that it never received', async () => {
    expect(await (await send('GET', '/scheduler/abc')).json()).toEqual({ status: 'none' })
    expect((await send('DELETE', '/scheduler/abc')).status).toBe(404)
    expect((await send('PUT', '/scheduler/abc')).status).toBe(405)
  })
  it('the app server has a clock that an administrator can move', async () => {
    const before = (await (await send('GET', '/admin/clock')).json()).now
    const after = (await (await send('POST', '/admin/clock', { advance: 3_600_000 })).json()).now
    expect(after - before).toBeGreaterThanOrEqual(3_600_000)
    expect((await send('POST', '/admin/clock', { advance: 'far' })).status).toBe(400)
    expect((await (await send('DELETE', '/admin/clock')).json()).now).toBeLessThan(after)
  })
  it.each(['/', '/scheduler', '/scheduler/abc', '/admin/clock', '/.well-known/jwks.json'])(
    'refuses %s to a page that uses another host name',
    async path => expect(await requestFromAttacker(base + path)).toBe(403),
  )
})

describe('the program', () => {
  const main = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
  const folder = temporaryFolder()
  const start = (env: Readonly<Record<string, string>>) =>
    fork(main, ['--sandbox'], { env: { KEYBAY_DATA_DIR: folder, ...env }, silent: true })

  /** Waits until the process fails. @returns what it wrote to stderr */
  const readFailure = async (child: ChildProcess) => {
    let text = ''
    child.stderr?.on('data', chunk => {
      text += chunk
    })
    expect(await once(child, 'close')).toEqual([1, null])
    return text
  }

  it('the app process reports when it is ready, and exits on SIGTERM', async () => {
    const port = await freePort()
    const child = start({ APP_PORT: String(port), CHAIN_PORT: '18899' })
    const [message] = await once(child, 'message')
    expect(message).toEqual({ type: 'ready', name: 'app', url: `http://app.localhost:${port}` })
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toContain('ws://localhost:18900')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('does not start a second scheduler in the same folder, and names the process that uses the folder', async () => {
    const first = start({ APP_PORT: String(await freePort()) })
    await once(first, 'message')
    expect(await readFailure(start({ APP_PORT: String(await freePort()) }))).toContain(
      `app: the folder ${join(folder, 'app')} is in use by process ${first.pid}:`,
    )
    first.kill('SIGKILL')
    await once(first, 'exit')
    const next = start({ APP_PORT: String(await freePort()) })
    await once(next, 'message')
    next.kill('SIGTERM')
    expect(await once(next, 'exit')).toEqual([0, null])
  })
})
