/** Tests the export window as its host serves it: allowed embedders, permissions, and the environments that have it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FrameHost, readExports, startFrame } from '@keybay/sandbox-frame'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeStatic } from '../dist/server/write-static.js'

const parentOrigins = ['https://app.example.com', 'http://app.localhost:4000']
const signerPublicKey = `04${'ab'.repeat(64)}`
const accountUrl = 'https://api.example.com/api/v0/sdk/local/auth/frame-account'
const rpcUrl = 'https://rpc.example.com'
const path = '/turnkey-export-v1/local'
const signPath = '/turnkey-sign-v1/local'
let host: FrameHost
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keybay-exports-'))
  host = await startFrame({
    mode: 'sandbox',
    environments: {},
    exports: {
      local: async () => ({ parentOrigins, signerPublicKey, accountUrl, rpcUrl }),
      asleep: async () => {
        throw new Error('Custody does not answer')
      },
    },
  })
})
afterAll(async () => {
  await host.stop()
  await rm(folder, { recursive: true, force: true })
})

function get(where: string) {
  return fetch(`http://127.0.0.1:${host.port}${where}`)
}

it('the export page asks only for the name of the account, runs one script by its hash, and only configured origins may embed the page', async () => {
  const answer = await get(path)
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "style-src 'self'",
    `connect-src ${accountUrl}`,
    `frame-ancestors ${parentOrigins.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ])
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('permissions-policy')).toContain('camera=()')
  const page = await answer.text()
  expect(page).toContain(signerPublicKey)
  const scripts = [...page.matchAll(/<script[^>]*src="([^"]+)"[^>]*integrity="sha384-/g)]
  expect(scripts).toHaveLength(1)
  expect((await get(scripts[0]?.[1] ?? '')).status).toBe(200)
})

it('the page that asks before signatures reaches the node too, has no key of the bundles, and is the same build', async () => {
  const answer = await get(signPath)
  expect(answer.headers.get('content-security-policy')).toContain(`; connect-src ${accountUrl} ${rpcUrl}; `)
  const asking = await answer.text()
  const opening = await (await get(path)).text()
  expect(asking).not.toContain(signerPublicKey)
  expect(opening).not.toContain(rpcUrl)
  const withoutConfiguration = (page: string) => page.replace(/(turnkey-export" content=")[^"]*/, '$1')
  expect(withoutConfiguration(asking)).toBe(withoutConfiguration(opening))
})

it('the export page exists only for configured environments, and responds with 503 until it is ready', async () => {
  expect((await get('/turnkey-export-v1/another')).status).toBe(404)
  const asleep = await get('/turnkey-export-v1/asleep')
  expect([asleep.status, asleep.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await get('/ready')).status).toBe(503)
})

it('writes the export page as a file with its headers', async () => {
  const written = await writeStatic(folder, {}, { local: async () => ({ parentOrigins }) })
  expect(written).toEqual(expect.arrayContaining([`${path}.html`, `${signPath}.html`]))
  const headers = await readFile(join(folder, '_headers'), 'utf8')
  expect(headers).toContain(`${path}\n  referrer-policy: no-referrer`)
  // Without an address of the account, the page may send nothing.
  expect(headers.split(path)[1]).not.toContain('connect-src')
})

it('reads the environments with custody, and names what is wrong with an environment', async () => {
  const file = join(folder, 'environments.json')
  const read = async (custody: unknown, more = {}) => {
    await writeFile(
      file,
      JSON.stringify([
        { environmentId: 'acme', parentOrigins, custody, ...more },
        { environmentId: 'none', parentOrigins },
      ]),
    )
    return readExports({ FRAME_ENVIRONMENTS_FILE: file })
  }
  const exports = await read({ signerPublicKey })
  expect(Object.keys(exports)).toEqual(['acme'])
  expect(await exports.acme?.()).toEqual({ parentOrigins, signerPublicKey })
  expect(await (await read({})).acme?.()).toEqual({ parentOrigins, signerPublicKey: undefined })
  const appNames = { 'https://app.example.com': 'Acme' }
  expect(await (await read({}, { rpcUrl })).acme?.()).toMatchObject({ rpcUrl })
  const named = await read({}, { appNames, baseApiUrl: 'https://api.example.com/v0/' })
  const account = 'https://api.example.com/v0/sdk/acme/auth/frame-account'
  expect(await named.acme?.()).toEqual({ parentOrigins, appNames, accountUrl: account })
  await expect(read({}, { appNames: { app: 'Acme' } })).rejects.toThrow('appNames')
  await expect(read({}, { rpcUrl: 'https://rpc.example.com;' })).rejects.toThrow('rpcUrl')
  await expect(read({ signerPublicKey: '04' })).rejects.toThrow('signerPublicKey')
  await expect(read({ key: 'x' })).rejects.toThrow('custody')
  expect(readExports({ CUSTODY_URL: 'off' })).toEqual({})
})
