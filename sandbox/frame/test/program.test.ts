/** Tests the programs of the frame's host: the server, and the writer of static files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixed, startFrame } from '@keybay/sandbox-frame'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acme as configuration } from './embedder.js'

describe('the frame process', () => {
  let folder: string
  let running: ChildProcess[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keybay-frame-'))
  })
  afterEach(async () => {
    for (const child of running) if (child.exitCode === null) child.kill('SIGKILL')
    running = []
    await rm(folder, { recursive: true, force: true })
  })
  const start = (name: string, args: readonly string[], env: Readonly<Record<string, string>>) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL(`../dist/server/${name}.js`, import.meta.url)), ...args],
      { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    )
    running.push(child)
    const output = { text: '' }
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output.text += text
      })
    return { child, output }
  }
  const file = async (content: unknown): Promise<string> => {
    const path = join(folder, 'environments.json')
    await writeFile(path, JSON.stringify(content))
    return path
  }

  it('the frame process reports when it is ready, serves the configured environments, and exits with code 0', async () => {
    const { child } = start('main', ['--sandbox'], {
      FRAME_PORT: '0',
      FRAME_ENVIRONMENTS_FILE: await file([configuration]),
    })
    const [message] = await once(child, 'message')
    expect(message).toMatchObject({ type: 'ready', name: 'frame' })
    const url = message.url.replace('wallet.localhost', '127.0.0.1')
    expect((await fetch(`${url}/waas-v1/acme`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('the frame process responds that the wallet is not ready while the local relays are down', async () => {
    const { child } = start('main', ['--sandbox'], { FRAME_PORT: '0', RELAY_PORT: '1', RELAY2_PORT: '2' })
    const [message] = await once(child, 'message')
    const response = await fetch(`${message.url.replace('wallet.localhost', '127.0.0.1')}/waas-v1/local`)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect((await fetch(`${message.url.replace('wallet.localhost', '127.0.0.1')}/ready`)).status).toBe(503)
  })

  const FRAME_PUBLIC_URL = 'https://wallet.acme-keys.example'
  const refused = async (name: string, env: Readonly<Record<string, string>>) => {
    const { child, output } = start(name, [], { FRAME_PORT: '0', ...env })
    expect(await once(child, 'close')).toEqual([1, null])
    return output.text
  }

  it('the frame names everything that it lacks in production in one message, and starts with it', async () => {
    expect(await refused('main', {})).toMatch(
      /frame cannot start:\n- FRAME_PUBLIC_URL is not set.*\n- FRAME_ENVIRONMENTS_FILE is not set/,
    )
    const env = { FRAME_PORT: '0', FRAME_PUBLIC_URL, FRAME_ENVIRONMENTS_FILE: await file([configuration]) }
    const [message] = await once(start('main', [], env).child, 'message')
    expect(message).toMatchObject({ type: 'ready', url: FRAME_PUBLIC_URL })
  })

  it('after SIGTERM /ready of the frame is 503 at once, its pages still load, and its process ends with code 0', async () => {
    const port = await freePort()
    const env = { FRAME_PORT: `${port}`, FRAME_PUBLIC_URL, FRAME_ENVIRONMENTS_FILE: await file([configuration]) }
    const { child } = start('main', [], env)
    await once(child, 'message')
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
    expect((await get('/ready')).status).toBe(200)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await expect.poll(async () => (await get('/ready')).status, { interval: 20 }).toBe(503)
    for (const path of ['/health', '/waas-v1/acme']) expect((await get(path)).status).toBe(200)
    expect(await ended).toEqual([0, null])
  })

  it.each([
    [{ FRAME_PUBLIC_URL: 'http://wallet.acme-keys.example' }, /FRAME_PUBLIC_URL is plain http/],
    [{ IDENTITY_URL: 'http://identity.localhost:4500' }, /IDENTITY_URL is not off/],
  ])('the frame does not start in production with %o', async (env, problem) => {
    const FRAME_ENVIRONMENTS_FILE = await file([configuration])
    expect(await refused('main', { FRAME_PUBLIC_URL, FRAME_ENVIRONMENTS_FILE, ...env })).toMatch(problem)
  })

  it('the frame does not start in production with a wildcard origin or plain http in its environments', async () => {
    const parentOrigins = ['https://*.acme.example', 'http://app.acme.example']
    const unsafe = { ...configuration, parentOrigins, baseApiUrl: 'http://api.acme.example/api/v0' }
    const text = await refused('main', { FRAME_PUBLIC_URL, FRAME_ENVIRONMENTS_FILE: await file([unsafe]) })
    expect(text).toMatch(/- FRAME_ENVIRONMENTS_FILE: \[0\]\.parentOrigins: https:\S+ is a wildcard/)
    expect(text).toMatch(/- FRAME_ENVIRONMENTS_FILE: \[0\]\.parentOrigins: http:\S+ is plain http/)
    expect(text).toMatch(/- FRAME_ENVIRONMENTS_FILE: \[0\]\.baseApiUrl is plain http/)
    const own = { ...configuration, parentOrigins: ['https://app.acme.example', FRAME_PUBLIC_URL] }
    expect(await refused('main', { FRAME_PUBLIC_URL, FRAME_ENVIRONMENTS_FILE: await file([own]) })).toMatch(
      /\[0\]\.parentOrigins has the frame's own origin, where the page could read every key/,
    )
  })

  it('the frame’s program with stand-ins starts in the sandbox only, and no program with --sandbox under a public name', async () => {
    expect(await refused('sandbox', {})).toMatch(/frame cannot start: .*Run dist\/server\/main\.js.*--sandbox/)
    const { child, output } = start('main', ['--sandbox'], { FRAME_PORT: '0', FRAME_PUBLIC_URL })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(output.text).toMatch(/--sandbox is for this machine only/)
  })

  it('writes no static files without environments, or with a wildcard origin or plain http in them', async () => {
    const out = join(folder, 'out')
    const unsafe = {
      ...configuration,
      parentOrigins: ['https://*.acme.example'],
      baseApiUrl: 'http://api.acme.example',
    }
    const cases: readonly (readonly [unknown, Readonly<Record<string, string>>, RegExp])[] = [
      [undefined, {}, /^frame cannot start: FRAME_ENVIRONMENTS_FILE is not set/],
      [[unsafe], {}, /baseApiUrl is plain http[\s\S]*is a wildcard/],
      [[configuration], { IDENTITY_URL: 'http://localhost' }, /IDENTITY_URL is not off/],
    ]
    for (const [content, env, problem] of cases) {
      const environments = content === undefined ? '' : await file(content)
      const { child, output } = start('write-static', [out], { FRAME_ENVIRONMENTS_FILE: environments, ...env })
      expect(await once(child, 'close')).toEqual([1, null])
      expect(output.text).toMatch(problem)
      expect(existsSync(out)).toBe(false)
    }
  })

  it.each([
    [{ FRAME_PORT: 'x' }, 'FRAME_PORT must be a whole number'],
    [{ FRAME_ENVIRONMENTS_FILE: '/nowhere.json' }, 'FRAME_ENVIRONMENTS_FILE'],
    [{ FRAME_PARENT_ORIGINS: 'app.localhost' }, 'FRAME_PARENT_ORIGINS: an origin is scheme, host and port'],
  ])('the frame process explains what is wrong with %o', async (env, message) => {
    const { child, output } = start('main', ['--sandbox'], env)
    expect(await once(child, 'close')).toEqual([1, null])
    expect(output.text).toContain(message)
    expect(output.text).not.toMatch(/\n\s+at /)
  })

  it('writes the same frame site as static files, with the headers of each file', async () => {
    const out = join(folder, 'out')
    const { child } = start('write-static', [out], { FRAME_ENVIRONMENTS_FILE: await file([configuration]) })
    expect(await once(child, 'close')).toEqual([0, null])
    const headers = await readFile(join(out, '_headers'), 'utf8')
    const page = await readFile(join(out, 'waas-v1', 'acme.html'), 'utf8')
    for (const part of [
      '/waas-v1/acme\n',
      '/waas-v1/acme.html\n',
      'frame-ancestors https://acme.example',
      'trusted-types',
    ])
      expect(headers).toContain(part)
    const frame = await startFrame({ mode: 'sandbox', environments: fixed([configuration]) })
    const served = await (await fetch(`http://127.0.0.1:${frame.port}/waas-v1/acme`)).text()
    await frame.stop()
    expect(page).toBe(served)
    for (const [, path] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
      expect((await readFile(join(out, path ?? ''))).length).toBeGreaterThan(0)
  })
})
