// @vitest-environment happy-dom
/** Tests the built package, as an app's page loads it. */
import { gzipSync } from 'node:zlib'
import { registerSandboxWallet, type SandboxWallet, type SandboxWalletOptions } from '@keybay/sandbox-wallet'
import { getWallets } from '@wallet-standard/app'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** Maximum gzip bytes of the wallet with its dependencies. */
const MAX_BYTES = 28 * 1024

let wallet: SandboxWallet | undefined

function register(options?: SandboxWalletOptions): SandboxWallet {
  wallet = registerSandboxWallet(options)
  return wallet
}

function setUrl(url: string): void {
  Reflect.get(window, 'happyDOM').setURL(url)
}

/** Returns the names of the wallets that an app finds. */
function getNames(): readonly string[] {
  return getWallets()
    .get()
    .map(({ name }) => name)
}

beforeEach(() => setUrl('http://localhost:5173/'))
afterEach(() => {
  wallet?.unregister()
  wallet = undefined
  localStorage.clear()
  vi.restoreAllMocks()
})

it.each(['http://localhost:5173/', 'http://app.localhost:5173/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/'])(
  'an app on %s finds the wallet, without a warning, until it is unregistered',
  url => {
    const warn = vi.spyOn(console, 'warn')
    setUrl(url)
    register()
    expect(getNames()).toEqual(['Sandbox Wallet'])
    wallet?.unregister()
    expect(getNames()).toEqual([])
    expect(warn).not.toHaveBeenCalled()
  },
)

it.each([
  'https://shop.example/',
  'https://localhost.shop.example/',
  'https://notlocalhost/',
  'https://127.0.0.1.shop.example/',
  'http://192.168.1.20:5173/',
])('refuses %s, says what to do, and creates no key', url => {
  setUrl(url)
  const { origin } = new URL(url)
  expect(() => register()).toThrow(`does not run on ${origin}`)
  expect(() => register({ allowOrigin: 'https://demo.example' })).toThrow(`pass allowOrigin: '${origin}'`)
  expect(() => register({ allowOrigin: '*' })).toThrow('Remove it from production builds')
  expect(getNames()).toEqual([])
  expect(localStorage.length).toBe(0)
  expect(document.querySelector('keybay-sandbox-wallet')).toBeNull()
})

it('runs on the one origin that the developer named, and warns in the console', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  setUrl('https://demo.example/shop')
  register({ name: 'Demo Wallet', allowOrigin: 'https://demo.example' })
  expect(getNames()).toEqual(['Demo Wallet'])
  expect(warn.mock.calls).toEqual([[expect.stringContaining('its keys are unencrypted')]])
})

it('says on a server that it needs a page', () => {
  vi.stubGlobal('document', undefined)
  expect(() => register()).toThrow('Register it in the browser, not on the server')
  vi.unstubAllGlobals()
})

it('approves by its handle, with the accounts of its own storage', async () => {
  const { addresses } = register({ accounts: 3, approveAll: true })
  expect(addresses).toHaveLength(3)
  const [found] = getWallets().get()
  const connect = Reflect.get(Object(found?.features['standard:connect']), 'connect')
  expect(await connect()).toMatchObject({ accounts: [{ address: addresses[0] }] })
  wallet?.unregister()
  expect(register({ accounts: 3 }).addresses).toEqual(addresses)
  wallet?.unregister()
  expect(register({ accounts: 1, storagePrefix: 'another:' }).addresses).not.toContain(addresses[0])
})

it(`has at most ${MAX_BYTES} bytes, and nothing in a production build that imports it for development`, async () => {
  const bytes = async (contents: string) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      outdir: 'out',
      write: false,
    })
    return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  }
  const load = `import('@keybay/sandbox-wallet').then(({ registerSandboxWallet }) => registerSandboxWallet())`
  const whole = await bytes(load)
  expect(whole).toBeGreaterThan(10_000)
  expect(whole).toBeLessThanOrEqual(MAX_BYTES)
  expect(await bytes(`if (process.env.NODE_ENV === 'development') ${load}`)).toBeLessThan(100)
})
