// @vitest-environment happy-dom
/**
 * Another user signs in on the same page. Frames here check the user of each message by a session of their own, so a message
 * under the wrong token is refused as the wallet frame refuses it.
 */
import { createKeybay, definePlugin, type Kernel, type Keybay, KeybayError } from '@keybay/kernel'
import { fakeClock, settle } from '@keybay/kernel/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type WaasOptions, waas } from '../../src/index.js'
import type { FrameView, HandlerContext, Handlers, WaasMessages, WaasMessageType } from '../../src/protocol/index.js'
import { SPECIFIED_TYPES, samples } from '../protocol/samples.js'
import { type Frames, installFrames, preparePage } from './frames.js'
import { standInAccount } from './stand-in-account.js'
import { standInWallet } from './stand-in-wallet.js'

preparePage()
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
  localStorage.clear()
})

type Respond = (context: HandlerContext) => unknown
interface Heard {
  readonly frame: number
  readonly view: FrameView
  readonly type: string
  /** Whose token the message brought. */
  readonly user: string
}
const address = standInWallet.accountAddress

function token(user: string, serial = 0): string {
  return `h.${btoa(JSON.stringify({ sub: user, serial }))}.s`
}

function userOf(text: string): string {
  return JSON.parse(atob(text.split('.')[1] ?? '')).sub
}

function iframes() {
  return [...document.querySelectorAll('iframe')]
}

/** Checks the user of a message like the wallet frame's session. */
function createSession() {
  let user: string | undefined
  return {
    take(text: string) {
      user = userOf(text)
    },
    check(text: string) {
      if (userOf(text) !== user) throw new KeybayError({ code: 'frame_token_missing', message: 'Another user' })
    },
  }
}

async function until(met: () => unknown) {
  while (!met()) await settle()
}

/** Frames that answer every message with a sample, unless `responses` says otherwise. */
function openFrames(responses: Partial<Record<WaasMessageType, Respond>> = {}) {
  const heard: Heard[] = []
  let count = 0
  const makeHandlers = (view: FrameView): Handlers<WaasMessages> => {
    const frame = ++count
    const session = createSession()
    const handlers = Object.entries(samples).map(([type, [, result]]) => [
      type,
      (payload: { readonly authToken?: string }, context: HandlerContext) => {
        const { authToken } = payload
        heard.push({ frame, view, type, user: authToken === undefined ? '' : userOf(authToken) })
        if (type === 'sendAuthToken' && authToken !== undefined) session.take(authToken)
        else if (authToken !== undefined) session.check(authToken)
        const respond = Object.entries(responses).find(([name]) => name === type)?.[1]
        return respond ? respond(context) : result
      },
    ])
    return Object.fromEntries(handlers)
  }
  const frames: Frames = installFrames(makeHandlers)
  ends.push(frames.restore)
  return { heard, frames, operations: () => heard.filter(({ type }) => type !== 'sendAuthToken') }
}

interface Opened {
  readonly keybay: Keybay<ReturnType<typeof waas> | ReturnType<typeof standInAccount>>
  readonly kernel: Kernel
  signIn(user: string, serial?: number): Promise<void>
}
let environments = 0

function openPage(options?: WaasOptions): Opened {
  const clock = fakeClock()
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
    environmentId: `users-${++environments}`,
    baseApiUrl: 'http://localhost:4100/api/v0',
    logLevel: 'silent',
    clock,
    plugins: [standInAccount({ signed: [], proved: [], called: [] }, false), waas(options), probe],
  })
  ends.push(keybay.dispose)
  keybay.connectors.list() // the first look starts it
  if (!kernel) throw new Error('setup has run')
  const { session } = kernel
  return {
    keybay,
    kernel,
    signIn: (user, serial) =>
      session.set(
        { status: 'authenticated', userId: user },
        { value: token(user, serial), expiresAt: clock.now() + 3_600_000 },
      ),
  }
}

async function accountOf({ keybay }: Opened) {
  const { accounts } = await keybay.connect('waas')
  const [account] = accounts
  if (!account) throw new Error('no account')
  return { account, features: keybay.connectors.get('waas').wallet.features }
}

function container(): HTMLElement {
  const element = document.createElement('div')
  document.body.append(element)
  ends.push(() => element.remove())
  return element
}
const bytes = new Uint8Array(32)
const policy = { programs: [], messages: false }
/** How an app has each message sent. Signing needs the account, so the list comes before it. */
const CALLS: Readonly<Record<string, (page: Opened) => Promise<unknown>>> = {
  getWallets: ({ keybay }) => keybay.waas.wallets(),
  getWallet: ({ keybay }) => keybay.waas.wallet(address),
  createWalletAccount: ({ keybay }) => keybay.waas.createWallet(),
  requiresPasswordForOperation: ({ keybay }) => keybay.waas.requiresPasswordForOperation(address, 'SIGN_MESSAGE'),
  signMessage: async page => {
    const { account, features } = await accountOf(page)
    return features['solana:signMessage'].signMessage({ account, message: bytes })
  },
  signRawMessage: async page => {
    const { account, features } = await accountOf(page)
    return features['keybay:signRawMessage'].signRawMessage({ account, message: 'ab'.repeat(32) })
  },
  signTransaction: async page => {
    const { account, features } = await accountOf(page)
    return features['solana:signTransaction'].signTransaction({ account, transaction: Uint8Array.of(0, 1, 2) })
  },
  signTypedData: async page => {
    const { account, features } = await accountOf(page)
    return features['keybay:signTypedData'].signTypedData({ account, typedData: '{}' })
  },
  isPasswordEncrypted: ({ keybay }) => keybay.waas.isPasswordEncrypted(address),
  backupKeySharesToGoogleDrive: ({ keybay }) => keybay.waas.backup(address, { backup: { provider: 'googleDrive' } }),
  delegateKeyShares: ({ keybay }) =>
    keybay.waas.delegateKeyShares(address, { delegatePublicKey: bytes, delegateName: 'Salaries', policy }),
  restoreBackupFromGoogleDrive: ({ keybay }) =>
    keybay.waas.restoreBackupFromGoogleDrive(address, { displayContainer: container() }),
  refreshWalletAccountShares: ({ keybay }) => keybay.waas.refresh(address),
  reshare: ({ keybay }) => keybay.waas.reshare(address, { to: 'THREE_OF_FIVE' }),
  exportPrivateKey: ({ keybay }) => keybay.waas.exportPrivateKey(address, { displayContainer: container() }),
  verifyPassword: ({ keybay }) => keybay.waas.verifyPassword(address, 'p'),
  updatePassword: ({ keybay }) => keybay.waas.updatePassword(address, { existingPassword: 'p', newPassword: 'q' }),
  importPrivateKey: ({ keybay }) => keybay.waas.importPrivateKey({ privateKey: '5Kd3' }),
  // Each first message brings the new user's greeting with it.
  sendAuthToken: ({ keybay }) => keybay.waas.wallets(),
  exportClientKeyshares: ({ keybay }) => keybay.waas.exportClientKeyshares(address),
  offlineExportPrivateKey: ({ keybay }) => keybay.waas.offlineExportPrivateKey('e30='),
  // Nothing in memory outlives the frame, so the kit takes it away instead of sending this one.
  cleanup: async ({ keybay, kernel }) => {
    await keybay.waas.isPasswordEncrypted(address)
    await kernel.session.clear()
    await until(() => !iframes().length)
  },
}

const CHANGES: readonly (readonly [how: string, change: (page: Opened) => Promise<void>])[] = [
  ['after a sign-out', ({ kernel, signIn }) => kernel.session.clear().then(() => signIn('bob'))],
  ['in her place', ({ signIn }) => signIn('bob')],
]
const cases = SPECIFIED_TYPES.flatMap(type => CHANGES.map(([how, change]) => ({ type, how, change })))

it.each(cases)('[S7.3] $type works as the first message of a user who signs in $how', async ({ type, change }) => {
  const { operations, heard } = openFrames({ getWallets: () => [standInWallet] })
  const page = openPage()
  await page.signIn('ada')
  await page.keybay.waas.createWallet()
  await change(page)
  const before = heard.length
  await CALLS[type]?.(page)
  const after = heard.slice(before)
  expect(after.map(({ type }) => type)).toEqual(expect.arrayContaining(['sendAuthToken']))
  if (type !== 'cleanup') expect(after.map(one => one.type)).toContain(type)
  expect(new Set(after.flatMap(({ user }) => (user === '' ? [] : [user])))).toEqual(new Set(['bob']))
  // No frame ever served two users.
  const served = new Map(operations().map(({ frame, user }) => [`${frame} ${user}`, frame]))
  expect(new Set(served.values()).size).toBe(served.size)
})

describe('what the user before has begun', () => {
  const pending = () => new Promise(() => {})

  it.each(CHANGES)(
    'ends with session_changed when another user signs in %s, and is not sent again',
    async (_, change) => {
      const { operations } = openFrames({ createWalletAccount: pending })
      const page = openPage()
      await page.signIn('ada')
      const making = page.keybay.waas.createWallet()
      making.catch(() => {})
      await until(() => operations().length)
      await change(page)
      await expect(making).rejects.toMatchObject({ code: 'session_changed' })
      await page.keybay.waas.wallets()
      expect(operations().map(({ type, user }) => `${type} ${user}`)).toEqual([
        'createWalletAccount ada',
        'getWallets bob',
      ])
    },
  )

  it('does not go on with its second message under the new token', async () => {
    let answer = (_: unknown) => {}
    const { operations } = openFrames({
      getWallet: () => new Promise(resolve => (answer = resolve)),
    })
    const page = openPage()
    await page.signIn('ada')
    const resharing = page.keybay.waas.reshare(address, { to: 'THREE_OF_FIVE' })
    resharing.catch(() => {})
    await until(() => operations().length)
    await page.signIn('bob')
    answer({ wallet: standInWallet, ready: true, needs: [] })
    await expect(resharing).rejects.toMatchObject({ code: 'session_changed' })
    await page.keybay.waas.wallets()
    expect(operations().map(({ type }) => type)).toEqual(['getWallet', 'getWallets'])
  })

  it('does not begin at all when the code for it loads after the change', async () => {
    const { operations } = openFrames()
    const page = openPage()
    await page.signIn('ada')
    const making = page.keybay.waas.createWallet()
    const changing = page.signIn('bob')
    await expect(making).rejects.toMatchObject({ code: 'session_changed' })
    await changing
    expect(operations()).toEqual([])
  })

  it('ends while the frame still loads', async () => {
    const { operations, heard } = openFrames()
    const page = openPage()
    await page.signIn('ada')
    await page.keybay.waas.wallets()
    await page.kernel.session.clear()
    await page.signIn('ada')
    const listing = page.keybay.waas.wallets()
    listing.catch(() => {})
    await until(() => iframes().length)
    await page.signIn('bob')
    await expect(listing).rejects.toMatchObject({ code: 'session_changed' })
    await page.keybay.waas.wallets()
    expect(operations().map(({ user }) => user)).toEqual(['ada', 'bob'])
    expect(heard.at(-1)).toMatchObject({ type: 'getWallets', user: 'bob' })
  })

  it('closes its window, and the frame in it', async () => {
    const { operations } = openFrames({ exportClientKeyshares: pending })
    const page = openPage()
    await page.signIn('ada')
    const copying = page.keybay.waas.exportClientKeyshares(address)
    copying.catch(() => {})
    await until(() => operations().length)
    expect(document.querySelectorAll('dialog')).toHaveLength(1)
    await page.kernel.session.clear()
    await expect(copying).rejects.toMatchObject({ code: 'session_changed' })
    await until(() => !iframes().length)
    expect(document.querySelectorAll('dialog')).toHaveLength(0)
  })

  it('shows none of its wallets to the new user', async () => {
    let answer = (_: unknown) => {}
    openFrames({ getWallets: () => new Promise(resolve => (answer = resolve)) })
    const page = openPage()
    await page.signIn('ada')
    const connecting = page.keybay.connect('waas')
    connecting.catch(() => {})
    await until(() => iframes().length)
    await settle()
    await page.signIn('bob')
    answer([standInWallet])
    await expect(connecting).rejects.toMatchObject({ code: 'session_changed' })
    expect(page.keybay.connections.get('waas')).toBeUndefined()
  })
})

it('a renewed token of the same user ends nothing and loads no frame', async () => {
  let answer = (_: unknown) => {}
  const { operations, frames } = openFrames({ createWalletAccount: () => new Promise(resolve => (answer = resolve)) })
  const page = openPage()
  await page.signIn('ada')
  const making = page.keybay.waas.createWallet()
  await until(() => operations().length)
  await page.signIn('ada', 1)
  answer({ wallet: standInWallet })
  await expect(making).resolves.toMatchObject({ wallet: { accountAddress: address } })
  await page.keybay.waas.wallets()
  expect(frames.loaded).toHaveLength(1)
})

it('a sign-out in another tab takes the frame away, and the next user of this tab is served', async () => {
  const { operations } = openFrames()
  const page = openPage()
  await page.signIn('ada')
  await page.keybay.waas.createWallet()
  await page.kernel.storage.remove('session')
  window.dispatchEvent(new Event('storage'))
  await until(() => page.kernel.session.current.status === 'anonymous')
  await until(() => !iframes().length)
  await page.signIn('bob')
  await page.keybay.waas.wallets()
  expect(operations().map(({ user }) => user)).toEqual(['ada', 'bob'])
})

it('an instance that shares the frame goes on when the user of another one changes', async () => {
  const { operations, frames } = openFrames()
  const shared = { environmentId: 'shared' }
  const [one, other] = [openPage(shared), openPage(shared)]
  await Promise.all([one.signIn('ada'), other.signIn('ada')])
  await one.keybay.waas.createWallet()
  await other.keybay.waas.wallets()
  expect(frames.loaded).toHaveLength(1)
  await one.signIn('bob')
  await one.keybay.waas.wallets()
  await other.keybay.waas.wallets()
  await one.kernel.session.clear()
  await other.keybay.waas.createWallet()
  expect(operations().map(({ type, user, frame }) => `${type} ${user} ${frame}`)).toEqual([
    'createWalletAccount ada 1',
    'getWallets ada 1',
    'getWallets bob 2',
    'getWallets ada 1',
    'createWalletAccount ada 1',
  ])
})

it('an instance that waits for a shared frame is served when the one that loads it changes its user', async () => {
  const { operations } = openFrames()
  const shared = { environmentId: 'shared too' }
  const [one, other] = [openPage(shared), openPage(shared)]
  await Promise.all([one.signIn('ada'), other.signIn('ada')])
  const loading = one.keybay.waas.wallets()
  loading.catch(() => {})
  const waiting = other.keybay.waas.wallets()
  await until(() => iframes().length)
  await one.signIn('bob')
  await expect(loading).rejects.toMatchObject({ code: 'session_changed' })
  expect(await waiting).toHaveLength(1)
  expect(operations().map(({ user }) => user)).toEqual(['ada'])
})
