/** Tests the frame's host: its pages, its headers, and the configurations that it refuses. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type FrameHost, fixed, readEnvironments, startFrame } from '@keybay/sandbox-frame'
import { readSandboxEnvironments } from '@keybay/sandbox-frame/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acme as configuration, recordKey } from './embedder.js'
import { listenHere } from './pages.js'

function getPolicy(headers: Headers): ReadonlyMap<string, string> {
  return new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map(directive => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )
}

/** Serves the frame with a changed configuration, and fetches its page. */
async function fetchPageWith(changes: object): Promise<{ readonly headers: Headers; readonly html: string }> {
  const frame = await startFrame({ mode: 'sandbox', environments: fixed([{ ...configuration, ...changes }]) })
  try {
    const { headers, text } = await fetchText(`http://127.0.0.1:${frame.port}/waas-v1/acme`)
    return { headers, html: text }
  } finally {
    await frame.stop()
  }
}

async function fetchText(url: string): Promise<{ readonly headers: Headers; readonly text: string }> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return { headers: response.headers, text: await response.text() }
}

/** Runs an action while both relays of this machine answer. */
async function withRelays<T>(act: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const relays = createServer(({ url }, response) => {
    response.end(JSON.stringify({ party: url?.slice(1, 3), recordKeys: [recordKey], sealingKey: 'A'.repeat(43) }))
  })
  const { port, close } = await listenHere(relays)
  try {
    return await act({ RELAY_URL: `http://127.0.0.1:${port}/R1`, RELAY2_URL: `http://127.0.0.1:${port}/R2` })
  } finally {
    close()
  }
}

describe('served files', () => {
  let frame: FrameHost
  let base: string
  beforeAll(async () => {
    frame = await startFrame({ mode: 'sandbox', environments: fixed([configuration]) })
    base = `http://127.0.0.1:${frame.port}`
  })
  let stopping: Promise<void> | undefined
  afterAll(() => Promise.all([frame.stop(), stopping]))

  it('keeps browsers on TLS under a public name, with every response, and leaves a name of this machine alone', async () => {
    const open = await startFrame({ environments: fixed([configuration]), publicUrl: 'https://wallet.acme.example' })
    const ask = async (at: string, path: string) => (await fetch(at + path)).headers.get('strict-transport-security')
    for (const path of ['/waas-v1/acme', '/health', '/missing', '/']) {
      expect(await ask(`http://127.0.0.1:${open.port}`, path)).toBe('max-age=63072000; includeSubDomains')
      expect(await ask(base, path)).toBeNull()
    }
    // Takes 5 s, in which other tests run.
    stopping = open.stop()
  })

  it('serves a frame page with the policy of its environment', async () => {
    const { headers, text: html } = await fetchText(`${base}/waas-v1/acme?instanceId=x`)
    expect(Object.fromEntries(getPolicy(headers))).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'keybay-frame',
      'style-src': "'self'",
      'worker-src': "'self'",
      'connect-src': 'https://api.acme.example/api/v0/ https://relay.acme.example/api/v0/',
      'frame-ancestors': 'https://acme.example https://shop.acme.example',
      'base-uri': "'none'",
      'form-action': "'none'",
    })
    expect(headers.get('permissions-policy')).toContain('publickey-credentials-get=(self)')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(html).not.toMatch(/<script(?![^>]*integrity="sha384-)/)
    expect(html).not.toMatch(/ on\w+=|style=/)
    expect(html).toContain('https://relay.acme.example/api/v0')
  })

  it('the frame page may connect to the API at its own address only, whatever aliases the API has', async () => {
    const apiAliases = ['http://localhost:4100/api/v0']
    const { headers, html } = await fetchPageWith({ apiAliases })
    expect(getPolicy(headers).get('connect-src')).toBe(
      'https://api.acme.example/api/v0/ https://relay.acme.example/api/v0/',
    )
    expect(headers.get('content-security-policy')).not.toContain('localhost')
    expect(html).toContain('http://localhost:4100/api/v0')
  })

  it.each(['https://node.acme.example', 'https://node.acme.example/v1/public'])(
    'the frame page may also connect to the node %s, and to no path below it',
    async rpcUrl => {
      const { headers, html } = await fetchPageWith({ rpcUrl })
      expect(getPolicy(headers).get('connect-src')).toBe(
        `https://api.acme.example/api/v0/ https://relay.acme.example/api/v0/ ${rpcUrl}`,
      )
      expect(html).toContain(rpcUrl)
    },
  )

  it('the frame page may also connect to the configured drives, and to no other drives', async () => {
    const backup = {
      googleDrive: {
        apiUrl: 'https://www.googleapis.com',
        authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
        clientId: 'acme',
      },
      icloud: {
        apiUrl: 'https://api.apple-cloudkit.com',
        container: 'iCloud.example.acme',
        environment: 'production',
        apiToken: 'token',
        contentUrls: ['https://cvws.icloud-content.com'],
      },
    }
    const { headers } = await fetchPageWith({ backup })
    expect(getPolicy(headers).get('connect-src')?.split(' ').slice(2)).toEqual([
      'https://www.googleapis.com/',
      'https://api.apple-cloudkit.com/',
      'https://cvws.icloud-content.com/',
    ])
  })

  it('serves a return page that keeps its opener, cannot be embedded, and sends no request', async () => {
    const { headers, text } = await fetchText(`${base}/waas-v1/acme/granted`)
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    expect(headers.get('cache-control')).toBe('no-store')
    const policy = getPolicy(headers)
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(policy.get('connect-src')).toBeUndefined()
    expect(policy.get('default-src')).toBe("'none'")
    expect(text).not.toContain('relay.acme.example')
  })

  it('the frame page names every script by its hash, including all scripts that other scripts import', async () => {
    const { text: html } = await fetchText(`${base}/waas-v1/acme`)
    const getHash = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
    const atOnce = [...html.matchAll(/<script [^>]*src="(\/assets\/[^"]+\.js)" integrity="([^"]+)"><\/script>/g)]
    const [, named = ''] = /<meta name="keybay:later" content="([^"]+)"/.exec(html) ?? []
    const later = [...named.matchAll(/(\/assets\/[^ ]+\.js) (\S+)/g)]
    expect(atOnce.length).toBe(html.match(/<script/g)?.length)
    expect(later).toHaveLength(4)
    const checked: string[] = []
    const brought: string[] = []
    // Page order: imports stand before the script that needs them, and so are already checked.
    for (const [, path = '', hash] of [...atOnce, ...later]) {
      const script = await (await fetch(base + path)).text()
      expect(getHash(script)).toBe(hash)
      const getNames = (pattern: RegExp) => [...script.matchAll(pattern)].map(([, name]) => `/assets/${name}`)
      const imported = getNames(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g)
      expect(checked).toEqual(expect.arrayContaining(imported))
      const dynamic = getNames(/\bimport\s*\(\s*["'`]\.\/([^"'`]+)["'`]/g)
      expect(later.map(([, path]) => path)).toEqual(expect.arrayContaining(dynamic))
      checked.push(path)
      brought.push(...imported, ...dynamic)
    }
    expect(new Set(brought).size).toBeGreaterThan(1)
  })

  it('serves frame scripts as immutable, with a policy that allows no request', async () => {
    const { text: html } = await fetchText(`${base}/waas-v1/acme`)
    const [, path] = /src="(\/assets\/[^"]+)"/.exec(html) ?? []
    const response = await fetch(base + path)
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(getPolicy(response.headers).get('default-src')).toBe("'none'")
    expect(getPolicy(response.headers).get('connect-src')).toBeUndefined()
    expect(response.headers.get('content-type')).toContain('text/javascript')
  })

  it.each([
    ['/waas-v1/other', 'GET', 404],
    ['/waas-v1/acme/', 'GET', 404],
    ['/waas-v1/../package.json', 'GET', 404],
    ['/assets/../../package.json', 'GET', 404],
    ['/assets/%2e%2e/index.html', 'GET', 404],
    ['/waas-v1/acme', 'POST', 405],
    ['/health', 'GET', 200],
  ])('the frame server responds to %s by %s with %i', async (path, method, status) => {
    const response = await fetch(base + path, { method })
    expect(response.status).toBe(status)
    expect(getPolicy(response.headers).get('frame-ancestors')).toBe("'none'")
  })

  it('the frame page and its files are at most 90 KiB in all, compressed', async () => {
    const { text: html } = await fetchText(`${base}/waas-v1/acme`)
    const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
    const bodies = await Promise.all(
      paths.map(async path => Buffer.from(await (await fetch(base + path)).arrayBuffer())),
    )
    const bytes = [Buffer.from(html), ...bodies].reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
    expect(bytes).toBeLessThanOrEqual(90 * 1024)
  })
})

describe('the environment of this machine', () => {
  it.each([
    [{}, 'http://api.app.localhost:4100/api/v0', ['http://localhost:4100/api/v0']],
    [{ API_PORT: '5100' }, 'http://api.app.localhost:5100/api/v0', ['http://localhost:5100/api/v0']],
    [{ API_URL: 'https://api.acme.example/api/v0' }, 'https://api.acme.example/api/v0', undefined],
  ])('%o: the frame reaches the API at %s, with the aliases %o', async (env, baseApiUrl, apiAliases) => {
    await withRelays(async relays => {
      const local = await readEnvironments({ ...env, ...relays }).local?.()
      expect([local?.baseApiUrl, local?.apiAliases]).toEqual([baseApiUrl, apiAliases])
    })
  })

  it.each([
    [{ APP_PORT: '5000', APP_ORIGINS: 'https://acme.example' }, ['app.localhost', 'localhost', '127.0.0.1']],
    [{ FRAME_PARENT_ORIGINS: 'https://acme.example' }, []],
  ])('%o: the window names the sandbox’s own app, and no other', async (env, hosts) => {
    const named = hosts.map(host => [`http://${host}:5000`, 'Keybay sandbox'])
    await withRelays(async relays => {
      const local = await readEnvironments({ ...env, ...relays }).local?.()
      expect(local?.appNames).toEqual(Object.fromEntries(named))
    })
  })
})

it.each([
  [{}, 'http://localhost:8899'],
  [{ CHAIN_PORT: '9899' }, 'http://localhost:9899'],
  [{ CHAIN_URL: 'https://node.acme.example' }, 'https://node.acme.example'],
  [{ CHAIN_URL: 'off' }, undefined],
])('%o: the frame of this machine simulates at %s', async (env, rpcUrl) => {
  await withRelays(async relays => {
    expect((await readEnvironments({ ...env, ...relays }).local?.())?.rpcUrl).toBe(rpcUrl)
  })
})

it('only the sandbox’s own entry configures the sandbox’s drives, which everyone can read', async () => {
  await withRelays(async env => {
    const readBackup = async (more: object) => (await readEnvironments({ ...env, ...more }).local?.())?.backup
    for (const more of [{}, { IDENTITY_URL: 'http://identity.localhost:4500' }])
      expect(await readBackup(more)).toBeUndefined()
    expect(await readBackup({ SOCIAL_GOOGLE_CLIENT_ID: 'mine' })).toMatchObject({
      googleDrive: { apiUrl: 'https://www.googleapis.com', clientId: 'mine' },
    })
    const sandbox = await readSandboxEnvironments(env).local?.()
    expect(sandbox?.backup?.googleDrive?.apiUrl).toBe('http://identity.localhost:4500')
    expect(sandbox?.backup?.icloud?.apiUrl).toBe('http://identity.localhost:4500')
    expect((await readSandboxEnvironments({ ...env, IDENTITY_URL: 'off' }).local?.())?.backup).toBeUndefined()
  })
})

describe('a wrong configuration', () => {
  it.each([
    [{ parentOrigins: ['https://acme.example/'] }, 'parentOrigins.0 is not an origin'],
    [{ parentOrigins: ['null'] }, 'parentOrigins.0 is not an origin'],
    [{ parentOrigins: ['*'] }, 'parentOrigins.0 is not an origin'],
    [{ parentOrigins: [] }, 'parentOrigins'],
    [{ baseApiUrl: "https://api.example/; script-src 'unsafe-inline'" }, 'baseApiUrl is not an address'],
    [{ baseApiUrl: 'javascript:alert(1)' }, 'baseApiUrl is not an address'],
    [{ apiAliases: ['https://api.example/?x'] }, 'apiAliases.0 is not an address'],
    [{ environmentId: '../x' }, 'environmentId is not an environment id'],
    [{ relays: [] }, 'relays'],
    [{ relays: [{ party: 'R2', url: 'https://r.example', recordKeys: [recordKey] }] }, 'relays'],
    [
      { relays: [{ party: 'R1', url: 'https://r.example', recordKeys: [{ ...recordKey, d: 'secret' }] }] },
      'recordKeys',
    ],
    [{ relays: [{ party: 'R1', url: 'https://r.example', recordKeys: [recordKey], sealingKey: 'x' }] }, 'sealingKey'],
    [
      {
        relays: [
          { party: 'R1', url: 'https://r.example', recordKeys: [recordKey] },
          { party: 'R2', url: 'https://r2.example', recordKeys: [recordKey] },
        ],
      },
      'relays has no sealingKey of R2',
    ],
    [{ rpcUrl: 'https://node.example/?api-key=secret' }, 'rpcUrl is not an address'],
    [{ appNames: { 'https://acme.example/': 'Acme' } }, 'appNames'],
    [{ theme: { colors: { ink: { light: 'red', dark: '#ffffff' } } } }, 'theme.colors.ink.light is not a color'],
    [{ theme: { font: 'x; } * { display: none' } }, 'theme.font is not a list of font families'],
    [{ theme: { colors: { alarm: { light: '#fefefe', dark: '#ff9d9a' } } } }, 'alarm on paper has a contrast of 1.01'],
    [{ extra: true }, 'extra'],
  ])('refuses a wrong frame configuration with the name of the field: %o', (change, message) => {
    expect(() => fixed([{ ...configuration, ...change }])).toThrow(message)
  })
})
