// @vitest-environment happy-dom
/** Two copies of the kernel in one page: the host has one, a plugin brings another. */
import { afterEach, expect, it, vi } from 'vitest'
import * as host from '../src/index.js'
import { mockWallet } from '../src/testing/index.js'

vi.resetModules()
const other = await import('../src/index.js')
const otherTesting = await import('../src/testing/index.js')

const opened: host.AnyCore[] = []
afterEach(() => {
  for (const keybay of opened.splice(0)) keybay.dispose()
  localStorage.clear()
})

function open(create: typeof host.createKeybay, plugins: readonly host.AnyPlugin[], environmentId = 'copies') {
  const keybay: host.AnyCore = create({ appName: 'Test', logLevel: 'silent', environmentId, plugins: [...plugins] })
  opened.push(keybay)
  return keybay
}

it('a host connects a wallet and a login that another copy of the kernel built', async () => {
  expect(other.createKeybay).not.toBe(host.createKeybay)
  const wallet = otherTesting.mockWallet()
  const login = otherTesting.mockLogin()
  const provider = other.definePlugin({
    id: 'provider',
    version: other.VERSION,
    setup({ session }) {
      session.register({ exchange: async () => ({ status: 'authenticated', userId: 'ann' }) })
      return {}
    },
  })
  const keybay = open(host.createKeybay, [wallet.plugin, login.plugin, provider])
  await expect(keybay.connect('mock')).resolves.toMatchObject({ connectorId: 'mock' })
  await expect(keybay.connect('mock-login')).resolves.toEqual({ status: 'authenticated', userId: 'ann' })
})
it('each copy of the kernel recognizes the errors of the other, with code and message', async () => {
  const wallet = otherTesting.mockWallet({ fault: 'refuses-like-phantom' })
  const plugin = other.definePlugin({
    id: 'failing',
    version: other.VERSION,
    setup: () => ({
      connectors: [
        {
          ...wallet.connector,
          connect: () => Promise.reject(new other.KeybayError(other.requestFailed, { detail: 'copy' })),
        },
      ],
    }),
  })
  const error = await open(host.createKeybay, [plugin])
    .connect('mock')
    .catch((thrown: unknown) => thrown)
  expect([host.isKeybayError(error), other.isKeybayError(error)]).toEqual([true, true])
  expect(error).toMatchObject({ code: 'request_failed', message: expect.stringContaining('copy') })
})
it('instances of two copies in one page keep their own connections, and share one session', async () => {
  const wallets = [mockWallet(), otherTesting.mockWallet()] as const
  const first = open(host.createKeybay, [wallets[0].plugin])
  let kernel: host.Kernel | undefined
  const watching = other.definePlugin({
    id: 'watching',
    version: other.VERSION,
    setup(inner) {
      kernel = inner
      return {}
    },
  })
  const second = open(other.createKeybay, [wallets[1].plugin, watching])
  for (const keybay of [first, second]) keybay.connectors.list()
  await Promise.all([first.connect('mock'), second.connect('mock')])
  expect(first.accounts.active()?.address).not.toBe(second.accounts.active()?.address)
  const shared = new Promise<host.SessionState>(resolve => {
    first.on('session:changed', ({ session }) => resolve(session))
  })
  await kernel?.session.set({ status: 'authenticated', userId: 'ann' }, { value: 't', expiresAt: Date.now() + 1e6 })
  expect(await shared).toEqual({ status: 'authenticated', userId: 'ann' })
  await first.disconnect('mock')
  expect(second.accounts.list()).toHaveLength(1)
})
