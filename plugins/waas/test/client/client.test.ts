// @vitest-environment happy-dom
import {
  accountNotFound,
  type Config,
  createKeybay,
  definePlugin,
  errorSpec,
  type Kernel,
  type Keybay,
  KeybayError,
} from '@keybay/kernel'
import { checkWalletClientParameters } from '@keybay/kernel/spec'
import { type FakeClock, fakeClock, settle } from '@keybay/kernel/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type WaasOptions, waas } from '../../src/index.js'
import { requestHashOf } from '../../src/protocol/factor.js'
import {
  consentRequired,
  type FrameView,
  type Handlers,
  mfaRequired,
  passkeyUnproved,
  type WaasMessages,
} from '../../src/protocol/index.js'
import { operationOf } from '../../src/protocol/operation.js'
import { type FrameOptions, type Frames, installFrames, preparePage } from './frames.js'
import { type StandIn, standInAccount } from './stand-in-account.js'
import { standInWallet } from './stand-in-wallet.js'

preparePage()
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
  localStorage.clear()
})

interface Opened extends StandIn {
  readonly keybay: Keybay<ReturnType<typeof waas> | ReturnType<typeof standInAccount>>
  readonly kernel: Kernel
  readonly clock: FakeClock
  readonly frames: Frames
  readonly events: readonly (readonly [name: string, payload: unknown])[]
  /** What the frames were asked, and in which view. */
  readonly asked: readonly (readonly [view: FrameView, type: string, payload: unknown])[]
}
interface OpenOptions {
  readonly signedIn?: boolean
  readonly options?: WaasOptions
  readonly config?: Partial<Config>
  readonly frame?: FrameOptions
}
let environments = 0

function open(handlers: Handlers<WaasMessages>, { signedIn = true, options, config, frame }: OpenOptions = {}): Opened {
  const asked: (readonly [FrameView, string, unknown])[] = []
  const frames = installFrames(
    view =>
      Object.fromEntries(
        Object.entries(handlers).map(([type, handler]) => [
          type,
          (payload: unknown, context: unknown) => {
            asked.push([view, type, payload])
            return Reflect.apply(handler, undefined, [payload, context])
          },
        ]),
      ),
    frame,
  )
  const clock = fakeClock()
  const standIn: StandIn = { signed: [], proved: [], called: [] }
  let kernel: Kernel | undefined
  const probe = definePlugin({
    id: 'probe',
    version: '0.1.0',
    setup(given) {
      kernel = given
      return {}
    },
  })
  const keybay = createKeybay({
    appName: 'Test',
    environmentId: `waas-${++environments}`,
    baseApiUrl: 'http://localhost:4100/api/v0',
    logLevel: 'silent',
    clock,
    ...config,
    plugins: [standInAccount(standIn, signedIn), waas(options), probe],
  })
  const events: (readonly [string, unknown])[] = []
  keybay.onAny((name, payload) => events.push([name, payload]))
  ends.push(frames.restore, keybay.dispose)
  keybay.connectors.list() // the first look starts it
  if (!kernel) throw new Error('setup has run')
  return { keybay, kernel, clock, frames, events, asked, ...standIn }
}

async function until(met: () => unknown) {
  while (!met()) await settle()
}
const address = standInWallet.accountAddress
const ethereum = { accountAddress: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB', chainName: 'EVM' } as const

function iframes() {
  return [...document.querySelectorAll('iframe')]
}

describe('connecting', () => {
  it('needs somebody who is signed in, and says so', async () => {
    const { keybay, frames } = open({}, { signedIn: false })
    await expect(keybay.connect('waas')).rejects.toMatchObject({
      code: 'session_missing',
      message: 'Failed to create or restore session: sign in first',
      connectorId: 'waas',
    })
    await expect(keybay.waas.wallets()).rejects.toMatchObject({ code: 'session_missing' })
    expect(frames.loaded).toEqual([])
  })

  it('has no account where there is no wallet on Solana', async () => {
    const { keybay } = open({ getWallets: () => [{ ...standInWallet, chainName: 'BTC' }] })
    await expect(keybay.connect('waas')).rejects.toMatchObject({ code: 'account_not_found' })
  })

  it('lists the wallets as accounts, each operation signed by the session’s key', async () => {
    const { keybay, signed, asked } = open({ getWallets: () => [standInWallet] })
    const { accounts } = await keybay.connect('waas')
    expect(accounts).toMatchObject([{ address, chains: expect.arrayContaining(['solana:mainnet', 'solana:localnet']) }])
    expect(signed).toEqual([{ operation: 'getWallets', hash: expect.any(String) }])
    expect(asked).toEqual([
      ['hidden', 'getWallets', { chainName: 'SOL', authToken: 'token-of-mara', signedSessionId: 'signed getWallets' }],
    ])
  })

  it('follows a sign-out, and a sign-in after it', async () => {
    const { keybay, kernel, events } = open({ getWallets: () => [standInWallet] })
    await keybay.connect('waas')
    expect(iframes()).toHaveLength(1)
    await kernel.session.clear()
    await until(() => !keybay.connections.get('waas'))
    expect(events.find(([name]) => name === 'connection:closed')?.[1]).toEqual({ connectorId: 'waas', by: 'wallet' })
    await until(() => !iframes().length)
    await kernel.session.set(
      { status: 'authenticated', userId: 'mara' },
      { value: 'another-token', expiresAt: kernel.clock.now() + 3_600_000 },
    )
    await until(() => keybay.connections.get('waas'))
  })

  it('shows nobody the wallets of somebody else', async () => {
    const other = { ...standInWallet, walletId: 'w9', accountAddress: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }
    const { keybay, kernel } = open({
      getWallets: ({ authToken }) => [authToken === 'token-of-mara' ? standInWallet : other],
    })
    await keybay.connect('waas')
    await kernel.session.set(
      { status: 'authenticated', userId: 'noah' },
      { value: 'token-of-noah', expiresAt: kernel.clock.now() + 3_600_000 },
    )
    await until(() => keybay.connections.get('waas')?.accounts[0]?.address === other.accountAddress)
  })

  it('a frame that answers late changes nothing after a cancel, nor after the end', async () => {
    const answers: (() => void)[] = []
    const { keybay } = open({
      getWallets: () => new Promise(resolve => answers.push(() => resolve([standInWallet]))),
    })
    const control = new AbortController()
    const cancelled = expect(keybay.connect('waas', undefined, { signal: control.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    await until(() => answers.length)
    control.abort()
    await cancelled
    answers[0]?.()
    await settle()
    expect(keybay.connections.list()).toEqual([])
    const ended = expect(keybay.connect('waas')).rejects.toMatchObject({ code: 'disposed' })
    await until(() => answers.length > 1)
    keybay.dispose()
    await ended
    answers[1]?.()
    await settle()
    expect([keybay.connections.list().length, iframes().length]).toEqual([0, 0])
  })

  it('is announced to other libraries, which can connect and sign by Wallet Standard alone', async () => {
    const { keybay } = open({
      getWallets: () => [standInWallet],
      signMessage: () => ({ signature: new Uint8Array(64) }),
    })
    const found: unknown[] = []
    window.addEventListener(
      'wallet-standard:register-wallet',
      event => Reflect.get(event, 'detail')({ register: (wallet: unknown) => found.push(wallet) }),
      { once: true },
    )
    expect(keybay.connectors.announce('waas')).toBe(true)
    const { wallet } = keybay.connectors.get('waas')
    expect(found).toEqual([wallet])
    const { accounts } = await wallet.features['standard:connect'].connect()
    const [account] = accounts
    if (!account) throw new Error('no account')
    const message = Uint8Array.of(1, 2)
    const [signed] = await wallet.features['solana:signMessage'].signMessage({ account, message })
    expect(signed?.signature).toHaveLength(64)
  })
})

describe('an operation', () => {
  it('tells its progress on the bus, and the new wallet is an account', async () => {
    const made = { ...standInWallet, walletId: 'w2', accountAddress: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }
    const { keybay, events, asked } = open({
      getWallets: () => [standInWallet],
      createWalletAccount(_, { progress }) {
        progress({ step: 'deal', number: 1, of: 3 })
        return { wallet: made }
      },
    })
    await keybay.connect('waas')
    const { wallet } = await keybay.waas.createWallet({ exportable: false })
    expect(wallet.accountAddress).toBe(made.accountAddress)
    await until(() => keybay.connections.get('waas')?.accounts.length === 2)
    expect(events).toContainEqual([
      'waas:progress',
      { operation: 'createWalletAccount', address: undefined, step: 'deal', number: 1, of: 3 },
    ])
    expect(asked.at(-1)?.[2]).toMatchObject({
      thresholdSignatureScheme: 'TWO_OF_THREE', // the environment's
      exportable: false,
      idempotencyKey: expect.any(String),
    })
  })

  it('goes again with a token when a second factor is demanded, under the same key', async () => {
    const { keybay, proved, asked } = open({
      refreshWalletAccountShares({ mfaToken }) {
        const details = { action: 'wallet.waas.refresh', requestHash: 'hash' }
        if (mfaToken === undefined) throw new KeybayError(mfaRequired, { details })
        return { wallet: standInWallet }
      },
    })
    await keybay.waas.refresh(address)
    expect(proved).toEqual([{ action: 'wallet.waas.refresh', requestHash: 'hash' }])
    const payloads = asked.map(([, , payload]) => Object(payload))
    expect(payloads.map(({ mfaToken }) => mfaToken)).toEqual([undefined, 'mfa-token'])
    expect(new Set(payloads.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  })

  it('goes to the visible frame for a factor that it can ask for, with the session key’s word for that request', async () => {
    const details = { action: 'wallet.waas.refresh', requestHash: 'hash', devices: [{ method: 'totp' }] }
    const { keybay, proved, signed, asked } = open({
      refreshWalletAccountShares({ signedMfa }) {
        if (signedMfa === undefined) throw new KeybayError(mfaRequired, { details })
        return { wallet: standInWallet }
      },
    })
    await keybay.waas.refresh(address)
    expect(proved).toEqual([])
    const refresh = await operationOf('refreshWalletAccountShares', { chainName: 'SOL', accountAddress: address })
    expect(signed).toContainEqual({ operation: 'mfa', hash: await requestHashOf(refresh) })
    const refreshes = asked.filter(([, type]) => type === 'refreshWalletAccountShares')
    expect(refreshes.map(([view]) => view)).toEqual(['hidden', 'visible'])
    expect(refreshes.at(-1)?.[2]).toMatchObject({ signedMfa: 'signed mfa' })
    expect(new Set(refreshes.map(([, , payload]) => Object(payload).idempotencyKey)).size).toBe(1)
  })

  it('goes there for typed data of an Ethereum account, too', async () => {
    const details = { action: 'wallet.waas.sign', requestHash: 'hash', devices: [{ method: 'email' }] }
    const { keybay, proved, signed, asked } = open(
      {
        getWallets: () => [{ ...standInWallet, ...ethereum }],
        signTypedData({ signedMfa }) {
          if (signedMfa === undefined) throw new KeybayError(mfaRequired, { details })
          return { signature: new Uint8Array(65) }
        },
      },
      { options: { chains: ['EVM'] } },
    )
    const { accounts } = await keybay.connect('waas')
    const [account] = accounts
    if (!account) throw new Error('no account')
    const { signTypedData } = keybay.connectors.get('waas').wallet.features['keybay:signTypedData']
    await signTypedData({ account, typedData: '{}' })
    expect(proved).toEqual([])
    const hash = await requestHashOf(await operationOf('signTypedData', { ...ethereum, typedData: '{}' }))
    expect(signed).toContainEqual({ operation: 'mfa', hash })
    expect(asked.filter(([, type]) => type === 'signTypedData').map(([view]) => view)).toEqual(['hidden', 'visible'])
  })

  it.each([
    ['what no frame asks for', 'wallet.waas.export', ['hidden', 'hidden']],
    ['what the user chose so in the frame', 'wallet.waas.refresh', ['hidden', 'visible', 'visible']],
  ])('asks in the page for %s', async (_, action, views) => {
    const details = { action, requestHash: 'hash', devices: [{ method: 'passkey' }] }
    const { keybay, proved, asked } = open({
      refreshWalletAccountShares({ mfaToken }) {
        if (mfaToken === undefined) throw new KeybayError(mfaRequired, { details })
        return { wallet: standInWallet }
      },
    })
    await keybay.waas.refresh(address)
    expect(proved).toEqual([{ action, requestHash: 'hash' }])
    expect(asked.map(([view]) => view)).toEqual(views)
  })

  it('has the page’s passkey vouch for one that the frame made, and goes again in that frame', async () => {
    const details = { action: 'wallet.waas.refresh', requestHash: 'hash', devices: [{ method: 'passkey' }] }
    let made = false
    const { keybay, proved, asked, called } = open({
      refreshWalletAccountShares({ signedMfa }) {
        if (signedMfa === undefined) throw new KeybayError(mfaRequired, { details })
        if (!made) {
          made = true
          throw new KeybayError(passkeyUnproved, { details: { enrolmentId: 'e-1' } })
        }
        return { wallet: standInWallet }
      },
    })
    await keybay.waas.refresh(address)
    expect(called).toEqual([['/mfa/frame-passkeys/e-1/confirm', 'POST']])
    expect(proved).toEqual([])
    expect(asked.map(([view]) => view)).toEqual(['hidden', 'visible', 'visible'])
  })

  it('goes to the visible frame when the user has to agree, in the container or a dialog, and that goes', async () => {
    const { keybay, asked, events } = open({
      revokeSet: () => {
        if (!document.querySelector('[title="wallet storage"]')) throw new KeybayError(consentRequired)
        return { wallet: standInWallet }
      },
    })
    const container = document.createElement('div')
    document.body.append(container)
    ends.push(() => container.remove())
    await keybay.waas.revokeSet(address, 's2', { displayContainer: container })
    await keybay.waas.revokeSet(address, 's2')
    expect(asked.map(([view]) => view)).toEqual(['hidden', 'visible', 'hidden', 'visible'])
    expect(events).toContainEqual(['waas:consent', { operation: 'revokeSet', address }])
    expect([container.childElementCount, document.querySelectorAll('dialog').length]).toEqual([0, 0])
  })

  it('to import a key begins where the page cannot see what is entered, unless it brings one', async () => {
    const { keybay, asked } = open({ importPrivateKey: () => ({ wallet: standInWallet }) })
    await keybay.waas.importPrivateKey()
    await keybay.waas.importPrivateKey({ privateKey: '5Kd3' })
    expect(asked.map(([view]) => view)).toEqual(['visible', 'hidden'])
  })

  it('that begins there has the hidden frame as well, by which a backup is downloaded', async () => {
    const states: unknown[] = []
    const { keybay, frames, events } = open({
      importPrivateKey() {
        const hidden = document.querySelectorAll('iframe[title="wallet"]').length
        states.push(hidden, ...heard())
        return { wallet: standInWallet }
      },
    })
    const heard = () => events.filter(([name]) => name === 'waas:frame').map(([, payload]) => payload)
    await keybay.waas.importPrivateKey()
    expect(states).toEqual([1, { state: 'loading' }, { state: 'ready' }])
    await keybay.waas.importPrivateKey()
    expect(frames.loaded).toHaveLength(3) // the hidden one once
  })

  it('that begins there asks the user nothing where the hidden frame cannot be had; the next try works', async () => {
    let forgets = true
    const { keybay, asked } = open(
      { importPrivateKey: () => ({ wallet: standInWallet }) },
      { frame: { forgets: view => forgets && view === 'hidden' } },
    )
    await expect(keybay.waas.importPrivateKey()).rejects.toMatchObject({ code: 'token_exchange_failed' })
    expect([asked.length, iframes().length, document.querySelectorAll('dialog').length]).toEqual([0, 0, 0])
    forgets = false
    expect(await keybay.waas.importPrivateKey()).toEqual({ wallet: standInWallet })
  })

  it('finds scheme and set by itself', async () => {
    const { keybay, asked, signed } = open({
      getWallet({ accountAddress }) {
        if (accountAddress !== address) throw new KeybayError(accountNotFound)
        return { wallet: standInWallet, ready: true, needs: [] }
      },
      reshare: () => ({ wallet: standInWallet }),
      setPolicy: ({ policy }) => ({ wallet: { ...standInWallet, policy: policy ?? undefined } }),
    })
    await keybay.waas.reshare(address, { to: 'THREE_OF_FIVE' })
    const policy = { programs: [], messages: true, dailyLimit: 5n }
    expect((await keybay.waas.setPolicy(address, policy)).policy).toEqual(policy)
    const payloads = asked.filter(([, type]) => type !== 'getWallet').map(([, , payload]) => payload)
    expect(payloads).toMatchObject([
      { oldThresholdSignatureScheme: 'TWO_OF_THREE', newThresholdSignatureScheme: 'THREE_OF_FIVE' },
      { setId: 's1' },
    ])
    // What is signed for names the set and says the whole policy, as the relay wants it.
    const wanted = JSON.stringify(['setPolicy', 's1', '{"dailyLimit":"5","programs":[],"messages":true}'])
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(wanted))
    expect(signed.at(-1)).toMatchObject({ hash: Buffer.from(digest).toString('base64url') })
    await expect(keybay.waas.setPolicy('nobody', null)).rejects.toMatchObject({ code: 'account_not_found' })
  })

  it('[S5.3] a raw message of another length: Message must be 64 characters long', async () => {
    const { keybay, asked } = open({ getWallets: () => [standInWallet] })
    const { accounts } = await keybay.connect('waas')
    const [account] = accounts
    const { signRawMessage } = keybay.connectors.get('waas').wallet.features['keybay:signRawMessage']
    if (!account) throw new Error('no account')
    await expect(signRawMessage({ account, message: 'abc' })).rejects.toThrow('Message must be 64 characters long')
    expect(asked).toHaveLength(1)
  })

  it('of the wallet exports the account that is given, and sets, changes and checks its password', async () => {
    const { keybay, asked } = open({
      getWallets: () => [standInWallet],
      exportPrivateKey: () => null,
      exportClientKeyshares: () => ({ keyShares: ['AQID'] }),
      setPassword: () => null,
      updatePassword: () => null,
      verifyPassword: ({ password }) => password === 'hunter2',
    })
    const { accounts } = await keybay.connect('waas')
    const [account] = accounts
    if (!account) throw new Error('no account')
    const { features } = keybay.connectors.get('waas').wallet
    const { exportPrivateKey, exportClientKeyshares } = features['keybay:export']
    const { setPassword, updatePassword, verifyPassword } = features['keybay:password']
    const displayContainer = document.createElement('div')
    document.body.append(displayContainer)
    ends.push(() => displayContainer.remove())
    await exportPrivateKey({ account, displayContainer })
    expect(await exportClientKeyshares({ account, displayContainer })).toEqual(['AQID'])
    await setPassword({ account, newPassword: 'hunter2' })
    await updatePassword({ account, existingPassword: 'hunter2', newPassword: 'hunter3' })
    expect(await verifyPassword({ account, password: 'hunter2' })).toBe(true)
    expect(await verifyPassword({ account, password: 'hunter4' })).toBe(false)
    const others = asked.filter(([, type]) => type !== 'getWallets')
    expect(others.map(([view, type]) => `${view} ${type}`)).toEqual([
      'visible exportPrivateKey',
      'visible exportClientKeyshares',
      'visible setPassword',
      'hidden updatePassword',
      'hidden verifyPassword',
      'hidden verifyPassword',
    ])
    expect(new Set(others.map(([, , payload]) => Object(payload).accountAddress))).toEqual(new Set([address]))
    const stranger = { ...account, address: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }
    await expect(setPassword({ account: stranger })).rejects.toMatchObject({ code: 'account_not_found' })
  })

  it('of an Ethereum account signs typed data as an object and as JSON alike', async () => {
    const { keybay, asked } = open(
      {
        getWallets: () => [{ ...standInWallet, ...ethereum }],
        signTypedData: () => ({ signature: new Uint8Array(65).fill(10) }),
      },
      { options: { chains: ['EVM'] } },
    )
    const { accounts } = await keybay.connect('waas')
    const [account] = accounts
    if (!account) throw new Error('no account')
    expect(account.features).toEqual(expect.arrayContaining(['evm:signTypedData', 'keybay:signTypedData']))
    const { features } = keybay.connectors.get('waas').wallet
    const typedData = { primaryType: 'Order', message: { amount: 12_345n } }
    const json = '{"primaryType":"Order","message":{"amount":"12345"}}'
    const signed = { signature: `0x${'0a'.repeat(65)}` }
    expect(await features['evm:signTypedData'].signTypedData({ account, typedData })).toEqual(signed)
    expect(await features['keybay:signTypedData'].signTypedData({ account, typedData: json })).toEqual(signed)
    const signings = asked.filter(([, type]) => type === 'signTypedData').map(([, , payload]) => Object(payload))
    expect(signings).toMatchObject([
      { ...ethereum, typedData: json },
      { ...ethereum, typedData: json },
    ])
  })

  it('[S5.7] without an address: an account address, a signed session id and an auth token are needed', async () => {
    const { keybay, asked } = open({})
    await expect(keybay.waas.refresh('')).rejects.toMatchObject({
      code: 'authority_missing',
      message: expect.stringContaining('accountAddress'),
    })
    expect(asked).toEqual([])
  })

  it('is rejected with the frame’s own error, and no secret is in it or in the events', async () => {
    const { keybay, events } = open({
      addDevice: () => {
        throw new KeybayError(errorSpec('frame_storage_unavailable', 'This browser keeps nothing'))
      },
    })
    const error: unknown = await keybay.waas
      .addDevice(address, { password: 'hunter2' })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'frame_storage_unavailable' })
    expect(JSON.stringify([error, events])).not.toMatch(/hunter2|token-of-mara|signed addDevice/)
  })
})

describe('the frame’s parameters', () => {
  const hosts = {
    preprod: {
      frameHost: 'https://wallet.preprod.acme.example',
      baseMPCRelayApiUrl: 'https://relay.preprod.acme.example',
    },
    production: { frameHost: 'https://wallet.acme.example', baseMPCRelayApiUrl: 'https://relay.acme.example' },
  }
  const development = { frameHost: 'http://wallet.localhost:4200', baseMPCRelayApiUrl: 'http://localhost:4300' }
  const cases = [
    ['http://localhost:4100/api/v0', development, undefined],
    ['http://api.app.localhost:4100/api/v0', development, undefined],
    ['https://api.preprod.example.com/v0', hosts.preprod, 'preprod'],
    ['https://api.example.com/v0', hosts.production, 'production'],
    // What only contains the word is neither.
    ['https://api.example.com/localhost/preprod', hosts.production, 'production'],
  ] as const
  for (const [baseApiUrl, { frameHost, baseMPCRelayApiUrl }, stage] of cases) {
    it(`[S2.3] [S9.11] ${baseApiUrl} → ${frameHost}, ${baseMPCRelayApiUrl}`, async () => {
      const config = { baseApiUrl }
      const { keybay, frames } = open({ getWallets: () => [standInWallet] }, { config, options: { hosts } })
      await keybay.connect('waas')
      const [url] = frames.loaded
      expect([url?.origin, url?.searchParams.get('baseMPCRelayApiUrl')]).toEqual([frameHost, baseMPCRelayApiUrl])
    })
    if (!stage) continue
    const calls: readonly (readonly [string, (keybay: Opened['keybay']) => Promise<unknown>])[] = [
      ['connect', keybay => keybay.connect('waas')],
      ['createWallet', keybay => keybay.waas.createWallet()],
      ['createWallet with a scheme', keybay => keybay.waas.createWallet({ scheme: 'TWO_OF_TWO' })],
      ['importPrivateKey', keybay => keybay.waas.importPrivateKey()],
      ['wallets', keybay => keybay.waas.wallets()],
    ]
    for (const option of ['frameHost', 'baseMPCRelayApiUrl'] as const)
      it.each(calls)(
        `[S2.3] [S9.11] ${baseApiUrl} without ${option}: %s names the option, and nothing is loaded, signed or fetched`,
        async (_, call) => {
          const fetched = vi.spyOn(globalThis, 'fetch')
          ends.push(() => fetched.mockRestore())
          const incomplete = { ...hosts, [stage]: { ...hosts[stage], [option]: undefined } }
          for (const options of [{}, { hosts: incomplete }]) {
            const { keybay, frames, signed, called } = open({}, { config: { baseApiUrl }, options })
            await expect(call(keybay)).rejects.toMatchObject({
              code: 'config_invalid',
              message: expect.stringContaining(`Set waas({ hosts: { ${stage}: {`),
            })
            expect([frames.loaded, iframes(), signed, called, fetched.mock.calls]).toEqual([[], [], [], [], []])
          }
        },
      )
  }

  it('of another stage are not used, and a page’s address chooses nothing', async () => {
    const config = { baseApiUrl: 'https://api.example.com/v0' }
    history.replaceState(null, '', '?frameHost=https://evil.example&hosts=preprod')
    const { keybay, frames } = open({}, { config, options: { hosts: { preprod: hosts.preprod } } })
    await expect(keybay.waas.wallets()).rejects.toThrow(
      'waas: frameHost is missing. Set waas({ hosts: { production: { frameHost } } }) or waas({ frameHost })',
    )
    expect(frames.loaded).toEqual([])
  })

  it('are the host’s own, where it says them', async () => {
    const options = {
      frameHost: 'https://wallet.acme.example',
      baseMPCRelayApiUrl: 'https://relay.acme.example/mpc',
      environmentId: 'other env',
    }
    const { keybay, frames } = open({ getWallets: () => [standInWallet] }, { options })
    await keybay.connect('waas')
    const [url] = frames.loaded
    expect([url?.origin, url?.pathname]).toEqual(['https://wallet.acme.example', '/waas-v1/other%20env'])
    expect(url?.searchParams.get('baseMPCRelayApiUrl')).toBe(options.baseMPCRelayApiUrl)
  })

  it('[S3.6] all that a wallet client is made from reaches the frame, the token not by its address', async () => {
    const { keybay, kernel, frames, asked } = open({ getWallets: () => [standInWallet], sendAuthToken: () => null })
    await keybay.waas.wallets()
    const [url] = frames.loaded
    const [, , greeting] = asked.find(([, type]) => type === 'sendAuthToken') ?? []
    const { authToken, chainName } = Object(greeting)
    const said = Object.fromEntries(url?.searchParams ?? [])
    const { environmentId, baseApiUrl, baseMPCRelayApiUrl, sdkVersion } = said
    const parameters = { environmentId, baseApiUrl, baseMPCRelayApiUrl, sdkVersion, authToken, chainName }
    expect(() => checkWalletClientParameters(parameters)).not.toThrow()
    expect(parameters).toEqual({
      environmentId: kernel.config.environmentId,
      baseApiUrl: kernel.config.baseApiUrl,
      baseMPCRelayApiUrl: 'http://localhost:4300',
      sdkVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
      authToken: 'token-of-mara',
      chainName: 'SOL',
    })
    expect(url?.href).not.toContain('token-of-mara')
  })

  for (const debug of [true, false])
    it(`[S3.6] debug ${debug}: how an operation ended is ${debug ? '' : 'not '}logged, and never what was asked`, async () => {
      const frozen = new KeybayError(errorSpec('frozen', 'The wallet is frozen'))
      const { keybay, events } = open(
        { getWallets: () => [standInWallet], addDevice: () => Promise.reject(frozen) },
        { options: { debug }, config: { logLevel: 'debug' } },
      )
      await keybay.connect('waas')
      await expect(keybay.waas.addDevice(address, { password: 'hunter2' })).rejects.toThrow('The wallet is frozen')
      const entries = events.filter(([name]) => name === 'log').map(([, entry]) => Object(entry))
      const ours = entries.filter(({ message }) => message === 'waas operation').map(({ meta }) => meta)
      const expected = [
        { type: 'getWallets', outcome: 'done', ms: 0 },
        { type: 'addDevice', outcome: 'frozen', ms: 0 },
      ]
      expect(ours).toEqual(debug ? expected : [])
      expect(JSON.stringify(entries)).not.toMatch(/hunter2|token-of-mara/)
    })

  it('[S5.8] an environment id is needed', async () => {
    const { keybay } = open({}, { options: { environmentId: '' } })
    await expect(keybay.connect('waas')).rejects.toMatchObject({
      code: 'environment_id_missing',
      message: 'An environment id is needed',
    })
  })

  it('wrong ones are named', async () => {
    const wrong: Readonly<Record<string, WaasOptions>> = {
      baseApiUrl: { baseApiUrl: 'nowhere' },
      frameHost: { frameHost: 'https://wallet.acme.example/path' },
      baseMPCRelayApiUrl: { baseMPCRelayApiUrl: 'javascript:alert(1)' },
    }
    for (const [name, options] of Object.entries(wrong)) {
      const { keybay } = open({}, { options })
      await expect(keybay.connect('waas')).rejects.toMatchObject({
        code: 'record_invalid',
        message: `Invalid record: WalletClientParameters.${name}`,
      })
    }
  })
})

describe('[S8.4] the frame’s errors', () => {
  it('Failed to establish secure token exchange', async () => {
    const { keybay, events } = open({}, { frame: { forgets: () => true } })
    await expect(keybay.connect('waas')).rejects.toMatchObject({
      code: 'token_exchange_failed',
      message: 'Failed to establish secure token exchange',
    })
    expect(events.filter(([name]) => name === 'waas:frame').map(([, payload]) => payload)).toEqual([
      { state: 'loading' },
      { state: 'failed' },
    ])
    expect(iframes()).toEqual([])
  })

  it('Failed to load iframe after all retry attempts: Iframe load timeout due to no handshake message; then it works', async () => {
    let works = false
    const { keybay, clock, frames } = open({ getWallets: () => [standInWallet] }, { frame: { works: () => works } })
    const failing = keybay.waas.wallets().catch((error: unknown) => error)
    await until(() => frames.loaded.length === 1)
    await clock.advance(10_000)
    await clock.advance(1000)
    await until(() => frames.loaded.length === 2)
    await clock.advance(10_000)
    expect(await failing).toMatchObject({
      message: 'Failed to load iframe after all retry attempts',
      cause: { message: 'Iframe load timeout due to no handshake message' },
    })
    works = true
    expect(await keybay.waas.wallets()).toHaveLength(1)
  })

  for (const calls of [0, 1])
    it(`Iframe message handler not initialized: the instance was disposed after ${calls} calls`, async () => {
      const { keybay, frames } = open({ getWallets: () => [standInWallet] })
      for (let done = 0; done < calls; done++) await keybay.waas.wallets()
      keybay.dispose()
      await expect(keybay.waas.wallets()).rejects.toThrow('Iframe message handler not initialized')
      expect([frames.loaded.length, iframes().length]).toEqual([calls, 0])
    })
})
