// @vitest-environment happy-dom
/** Creation at sign-in, by the page: which users, in which frame, and what follows. The frames are stand-ins. */
import type { UserCredential } from '@keybay/account'
import { KeybayError } from '@keybay/kernel/spec'
import { settle } from '@keybay/kernel/testing'
import { expect, it } from 'vitest'
import type { CreateOnLogin } from '../../src/index.js'
import type { Handlers, WaasMessages } from '../../src/protocol/index.js'
import { iframes, type KitOptions, open, until } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

const FACTS = { id: 'c1', createdAt: 0, lastUsedAt: 0 } as const
const EMAIL = { ...FACTS, method: 'email', email: 'mara@example.com' } as const
const PHANTOM = {
  id: 'c2',
  method: 'blockchain',
  walletName: 'Phantom',
  address: 'a',
  createdAt: 0,
  lastUsedAt: 0,
} as const
const EMBEDDED = { ...PHANTOM, id: 'c3', walletName: 'dynamicWaas' } as const

interface Options extends KitOptions {
  readonly createOnLogin?: CreateOnLogin
  readonly credentials?: readonly UserCredential[]
  readonly handlers?: Handlers<WaasMessages>
  /** Error codes of the first creations. */
  readonly refusals?: readonly string[]
}
/** A page on which Mara signs in. Its relay creates one wallet, and refuses further first wallets. */
function openPage({ createOnLogin, credentials = [EMAIL], handlers, refusals = [], ...options }: Options = {}) {
  let isCreated = false
  const codes = [...refusals]
  const createWalletAccount: Handlers<WaasMessages>['createWalletAccount'] = () => {
    const code = codes.shift()
    if (code) throw new KeybayError({ code, message: code })
    if (isCreated) throw new KeybayError({ code: 'wallet_exists', message: 'exists' })
    isCreated = true
    return { wallet: standInWallet }
  }
  const kit = open(
    { getWallets: () => (isCreated ? [standInWallet] : []), createWalletAccount, ...handlers },
    { ...options, credentials, signedIn: false, options: { ...(createOnLogin && { createOnLogin }) } },
  )
  const created = () =>
    kit.received.flatMap(([view, type, payload]) => (type === 'createWalletAccount' ? [{ view, payload }] : []))
  return { ...kit, created, signsIn: () => kit.signIn('mara', 'token-of-mara') }
}
it('creates a wallet in the hidden frame when a user signs in by any UI, and connects it', async () => {
  const { keybay, created, signsIn, events } = openPage()
  await signsIn()
  await until(() => keybay.connections.get('waas'))
  expect(created()).toMatchObject([
    {
      view: 'hidden',
      payload: { thresholdSignatureScheme: 'TWO_OF_TWO', first: true, idempotencyKey: 'first-wallet' },
    },
  ])
  expect(keybay.connections.get('waas')?.accounts).toMatchObject([{ address: standInWallet.accountAddress }])
  expect(events.map(([name]) => name)).toContain('waas:wallets-changed')
  expect(iframes()).toHaveLength(1)
})

it('connects the new wallet without listing the wallets again', async () => {
  const { keybay, received, signsIn } = openPage()
  await signsIn()
  await until(() => keybay.connections.get('waas'))
  expect(received.map(([, type]) => type)).toEqual(['createWalletAccount'])
  await keybay.disconnect('waas')
  await keybay.connect('waas')
  expect(received.map(([, type]) => type)).toEqual(['createWalletAccount', 'getWallets'])
})

it.each([
  ['a user with a wallet from elsewhere', 'users-without-wallets', [EMAIL, PHANTOM], false],
  ['a user with an embedded wallet', 'users-without-wallets', [EMAIL, EMBEDDED], false],
  ['a user with an embedded wallet', 'all-users', [EMAIL, EMBEDDED], false],
  ['a user with a wallet from elsewhere', 'all-users', [EMAIL, PHANTOM], true],
  ['any user', 'off', [EMAIL], false],
] as const)(
  'for %s, createOnLogin: %s with %j creates a wallet: %s',
  async (_, createOnLogin, credentials, creates) => {
    const { created, signsIn, frames } = openPage({ createOnLogin, credentials })
    await signsIn()
    if (creates) await until(() => created().length)
    for (let turn = 0; turn < 20; turn++) await settle()
    expect([created().length, frames.loaded.length]).toEqual(creates ? [1, 1] : [0, 0])
  },
)

it('creates nothing and loads no frame where the environment has embedded wallets off', async () => {
  const { signsIn, frames, events } = openPage({ embeddedWallets: { enabled: false } })
  await signsIn()
  for (let turn = 0; turn < 20; turn++) await settle()
  expect(frames.loaded).toEqual([])
  expect(events.map(([name]) => name)).not.toContain('waas:failed')
})

it.each(['replica_required', 'consent_required', 'idempotency_key_reused'])(
  'asks for a backup in the wallet’s window if the frame answers %s',
  async code => {
    const { created, signsIn } = openPage({ refusals: [code] })
    await signsIn()
    await until(() => created().length === 2)
    expect(created()).toMatchObject([
      { view: 'hidden', payload: { thresholdSignatureScheme: 'TWO_OF_TWO' } },
      {
        view: 'visible',
        payload: {
          thresholdSignatureScheme: 'TWO_OF_THREE',
          first: true,
          backup: { provider: 'dynamic', passkey: true },
        },
      },
    ])
  },
)

it('begins again if the relay has dropped the creation that was interrupted', async () => {
  const { keybay, created, signsIn, events } = openPage({ refusals: ['ceremony_not_found'] })
  await signsIn()
  await until(() => keybay.connections.get('waas'))
  expect(created()).toHaveLength(2)
  expect(events.map(([name]) => name)).not.toContain('waas:failed')
})

it('asks in the window at once where the environment demands three of five', async () => {
  const { created, signsIn } = openPage({ embeddedWallets: { thresholdSignatureScheme: 'THREE_OF_FIVE' } })
  await signsIn()
  await until(() => created().length)
  expect(created()).toMatchObject([{ view: 'visible', payload: { thresholdSignatureScheme: 'THREE_OF_FIVE' } }])
})

it.each([
  ['this browser', true],
  ['another device', false],
] as const)('if a wallet of %s was first, connecting it at once: %s', async (_, here) => {
  const handlers = { getWallets: () => [{ ...standInWallet, here }] }
  const { keybay, signsIn, events, received } = openPage({ refusals: ['wallet_exists'], handlers })
  await signsIn()
  await until(() => received.some(([, type]) => type === 'getWallets'))
  if (here) await until(() => keybay.connections.get('waas'))
  for (let turn = 0; turn < 20; turn++) await settle()
  expect(keybay.connections.list()).toHaveLength(here ? 1 : 0)
  expect(events.map(([name]) => name)).not.toContain('waas:failed')
})

it('tries again while a service is away', async () => {
  const { created, signsIn, clock, events, keybay } = openPage({
    refusals: ['frame_relay_unreachable', 'api_unavailable'],
  })
  await signsIn()
  for (const [tries, waitMs] of [1000, 4000].entries()) {
    await until(() => created().length === tries + 1)
    for (let turn = 0; turn < 20; turn++) await settle()
    clock.advance(waitMs)
  }
  await until(() => keybay.connections.get('waas'))
  expect(created()).toHaveLength(3)
  expect(events.map(([name]) => name)).not.toContain('waas:failed')
})

it('reports an error that stays, and does not try again', async () => {
  const { created, signsIn, clock, events } = openPage({ refusals: ['frame_storage_unavailable'] })
  await signsIn()
  await until(() => events.some(([name]) => name === 'waas:failed'))
  clock.advance(100_000)
  for (let turn = 0; turn < 20; turn++) await settle()
  expect(created()).toHaveLength(1)
})

it('a user who closes the window is asked again at the next sign-in only, not by a reload, and sees no error', async () => {
  const page: Options = {
    config: { environmentId: 'declining' },
    embeddedWallets: { thresholdSignatureScheme: 'THREE_OF_FIVE' },
  }
  const { created, signsIn, events, kernel, keybay, frames } = openPage({ ...page, refusals: ['user_rejected'] })
  await signsIn()
  await until(() => created().length)
  await kernel.session.set({ status: 'authenticated', userId: 'mara' }, { value: 'renewed', expiresAt: 1e15 })
  for (let turn = 0; turn < 20; turn++) await settle()
  expect(created()).toHaveLength(1)
  expect(events.map(([name]) => name)).not.toContain('waas:failed')
  keybay.dispose()
  frames.restore()
  const reloaded = openPage(page)
  await until(() => reloaded.kernel.session.current.status === 'authenticated')
  for (let turn = 0; turn < 20; turn++) await settle()
  expect(reloaded.created()).toEqual([])
  await reloaded.kernel.session.clear()
  await settle()
  await reloaded.signsIn()
  await until(() => reloaded.created().length)
})

it('a user who signs out during the creation and signs in again gets the wallet, and no frame stays behind', async () => {
  const answers = new Map<string, () => void>()
  let tries = 0
  const { keybay, kernel, created, signsIn } = openPage({
    handlers: {
      createWalletAccount: () => {
        tries += 1
        return new Promise(resolve => answers.set(`${tries}`, () => resolve({ wallet: standInWallet })))
      },
    },
  })
  await signsIn()
  await until(() => created().length)
  await kernel.session.clear()
  for (let turn = 0; turn < 20; turn++) await settle()
  expect(iframes()).toEqual([])
  await signsIn()
  await until(() => answers.has('2'))
  answers.get('2')?.()
  await until(() => keybay.connections.get('waas'))
  expect([created().length, iframes().length]).toEqual([2, 1])
})

it.each<[way: string, credential: UserCredential]>([
  ['phone', { ...FACTS, method: 'phoneNumber', phoneNumber: '+41790000000' }],
  ['social account', { ...FACTS, method: 'oauth' }],
  ['passkey', { ...FACTS, method: 'passkey' }],
  ['token of the host', { ...FACTS, method: 'externalUser' }],
])('creates a wallet for a user who signs in by %s', async (_, credential) => {
  const { created, signsIn } = openPage({ credentials: [credential] })
  await signsIn()
  await until(() => created().length)
})

it('connecting without a wallet creates one for a user whom the sign-in gave none', async () => {
  const { keybay, created, signsIn } = openPage({ credentials: [EMAIL, PHANTOM] })
  await signsIn()
  const { accounts } = await keybay.connect('waas')
  expect(accounts).toMatchObject([{ address: standInWallet.accountAddress }])
  expect(created()).toHaveLength(1)
})

it('connecting without a wallet creates none where the app creates wallets itself', async () => {
  const { keybay, created, signsIn } = openPage({ createOnLogin: 'off' })
  await signsIn()
  await expect(keybay.connect('waas')).rejects.toMatchObject({ code: 'account_not_found' })
  expect(created()).toEqual([])
})
