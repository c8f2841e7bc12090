// @vitest-environment happy-dom
/** Another user signs in on the same page. Each frame here serves one user and refuses the token of another. */

import { settle } from '@keybay/kernel/testing'
import { describe, expect, it } from 'vitest'
import type { WaasOptions } from '../../src/index.js'
import type { FrameView, HandlerContext, Handlers, WaasMessages, WaasMessageType } from '../../src/protocol/index.js'
import { SPECIFIED_TYPES, samples } from '../protocol/samples.js'
import { installFrames } from './frames.js'
import { connectAccount, createContainer, ends, iframes, type Kit, openKit, until } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

type Respond = (context: HandlerContext) => unknown
interface Received {
  readonly frame: number
  readonly view: FrameView
  readonly type: string
  /** The user of the message's token. */
  readonly user: string
}
const address = standInWallet.accountAddress

function token(user: string, serial = 0): string {
  return `h.${btoa(JSON.stringify({ sub: user, serial }))}.s`
}

function getUser(text: string): string {
  return JSON.parse(atob(text.split('.')[1] ?? '')).sub
}

/** Installs frames that answer every message with a sample, or by `responses`. */
function openFrames(responses: Partial<Record<WaasMessageType, Respond>> = {}) {
  const received: Received[] = []
  let count = 0
  const makeHandlers = (view: FrameView): Handlers<WaasMessages> => {
    const frame = ++count
    let frameUser: string | undefined
    const handlers = Object.entries(samples).map(([type, [, result]]) => [
      type,
      (payload: { readonly authToken?: string }, context: HandlerContext) => {
        const { authToken } = payload
        received.push({ frame, view, type, user: authToken === undefined ? '' : getUser(authToken) })
        const user = authToken === undefined ? undefined : getUser(authToken)
        if (type === 'sendAuthToken') frameUser ??= user
        if (user !== undefined && user !== frameUser) throw new Error(`${frameUser}’s frame got ${user}’s token`)
        const respond = Object.entries(responses).find(([name]) => name === type)?.[1]
        return respond ? respond(context) : result
      },
    ])
    return Object.fromEntries(handlers)
  }
  const frames = installFrames(makeHandlers)
  ends.push(frames.restore)
  return { received, frames, operations: () => received.filter(({ type }) => type !== 'sendAuthToken') }
}

interface Page extends Omit<Kit, 'signIn'> {
  signIn(user: string, serial?: number): Promise<void>
}

function openPage(options?: WaasOptions): Page {
  const kit = openKit({ signedIn: false, options })
  return { ...kit, signIn: (user, serial) => kit.signIn(user, token(user, serial)) }
}

const bytes = new Uint8Array(32)
const policy = { programs: [], messages: false }
/** The call that sends each message. Signing needs the account, so it reads the list first. */
const CALLS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  getWallets: ({ keybay }) => keybay.waas.wallets(),
  getWallet: ({ keybay }) => keybay.waas.wallet(address),
  createWalletAccount: ({ keybay }) => keybay.waas.createWallet(),
  requiresPasswordForOperation: ({ keybay }) => keybay.waas.requiresPasswordForOperation(address, 'SIGN_MESSAGE'),
  signMessage: async page => {
    const { account, features } = await connectAccount(page)
    return features['solana:signMessage'].signMessage({ account, message: bytes })
  },
  signRawMessage: async page => {
    const { account, features } = await connectAccount(page)
    return features['keybay:signRawMessage'].signRawMessage({ account, message: 'ab'.repeat(32) })
  },
  signTransaction: async page => {
    const { account, features } = await connectAccount(page)
    return features['solana:signTransaction'].signTransaction({ account, transaction: Uint8Array.of(0, 1, 2) })
  },
  signTypedData: async page => {
    const { account, features } = await connectAccount(page)
    return features['keybay:signTypedData'].signTypedData({ account, typedData: '{}' })
  },
  isPasswordEncrypted: ({ keybay }) => keybay.waas.isPasswordEncrypted(address),
  backupKeySharesToGoogleDrive: ({ keybay }) => keybay.waas.backup(address, { backup: { provider: 'googleDrive' } }),
  delegateKeyShares: ({ keybay }) =>
    keybay.waas.delegateKeyShares(address, { delegatePublicKey: bytes, delegateName: 'Salaries', policy }),
  restoreBackupFromGoogleDrive: ({ keybay }) =>
    keybay.waas.restoreBackupFromGoogleDrive(address, { displayContainer: createContainer() }),
  refreshWalletAccountShares: ({ keybay }) => keybay.waas.refresh(address),
  reshare: ({ keybay }) => keybay.waas.reshare(address, { to: 'THREE_OF_FIVE' }),
  exportPrivateKey: ({ keybay }) => keybay.waas.exportPrivateKey(address, { displayContainer: createContainer() }),
  verifyPassword: ({ keybay }) => keybay.waas.verifyPassword(address, 'p'),
  updatePassword: ({ keybay }) => keybay.waas.updatePassword(address, { existingPassword: 'p', newPassword: 'q' }),
  importPrivateKey: ({ keybay }) => keybay.waas.importPrivateKey({ privateKey: '5Kd3' }),
  // A new user's first message follows their greeting.
  sendAuthToken: ({ keybay }) => keybay.waas.wallets(),
  exportClientKeyshares: ({ keybay }) => keybay.waas.exportClientKeyshares(address),
  offlineExportPrivateKey: ({ keybay }) => keybay.waas.offlineExportPrivateKey('e30='),
  // The kit removes the frame, and with it all memory, instead of sending this message.
  cleanup: async ({ keybay, kernel }) => {
    await keybay.waas.isPasswordEncrypted(address)
    await kernel.session.clear()
    await until(() => !iframes().length)
  },
}

const CHANGES: readonly (readonly [how: string, change: (page: Page) => Promise<void>])[] = [
  ['after a sign-out', ({ kernel, signIn }) => kernel.session.clear().then(() => signIn('bob'))],
  ['without a sign-out', ({ signIn }) => signIn('bob')],
]
const cases = SPECIFIED_TYPES.flatMap(type => CHANGES.map(([how, change]) => ({ type, how, change })))

it.each(cases)('$type works as the first message of a user who signs in $how', async ({ type, change }) => {
  const { operations, received } = openFrames({ getWallets: () => [standInWallet] })
  const page = openPage()
  await page.signIn('ada')
  await page.keybay.waas.createWallet()
  await change(page)
  const before = received.length
  await CALLS[type]?.(page)
  const after = received.slice(before)
  expect(after.map(({ type }) => type)).toEqual(expect.arrayContaining(['sendAuthToken']))
  if (type !== 'cleanup') expect(after.map(message => message.type)).toContain(type)
  expect(new Set(after.flatMap(({ user }) => (user === '' ? [] : [user])))).toEqual(new Set(['bob']))
  // No frame ever served two users.
  const served = new Map(operations().map(({ frame, user }) => [`${frame} ${user}`, frame]))
  expect(new Set(served.values()).size).toBe(served.size)
})

describe('an operation of the previous user', () => {
  const pending = () => new Promise(() => {})

  it.each(CHANGES)(
    'an operation ends with session_changed when another user signs in %s, and is not sent again',
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

  it('an operation of the previous user does not send its second message with the new token', async () => {
    let answer = (_: unknown) => {}
    const { operations } = openFrames({ getWallet: () => new Promise(resolve => (answer = resolve)) })
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

  it('an operation does not begin when its code loads after a change of user', async () => {
    const { operations } = openFrames()
    const page = openPage()
    await page.signIn('ada')
    const making = page.keybay.waas.createWallet()
    const changing = page.signIn('bob')
    await expect(making).rejects.toMatchObject({ code: 'session_changed' })
    await changing
    expect(operations()).toEqual([])
  })

  it('a change of user ends an operation while the frame still loads', async () => {
    const { operations, received } = openFrames()
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
    expect(received.at(-1)).toMatchObject({ type: 'getWallets', user: 'bob' })
  })

  it('a change of user closes the window of an operation, and the frame in the window', async () => {
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

  it('an operation of the previous user shows none of its wallets to the new user', async () => {
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

it('keeps operations and the frame when the token of the same user is renewed', async () => {
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

it('removes the frame at a sign-out in another tab, and serves the next user', async () => {
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

it('keeps a shared frame when the user of another instance changes', async () => {
  const { operations, frames } = openFrames()
  const shared = { environmentId: 'shared' }
  const [first, second] = [openPage(shared), openPage(shared)]
  await Promise.all([first.signIn('ada'), second.signIn('ada')])
  await first.keybay.waas.createWallet()
  await second.keybay.waas.wallets()
  expect(frames.loaded).toHaveLength(1)
  await first.signIn('bob')
  await first.keybay.waas.wallets()
  await second.keybay.waas.wallets()
  await first.kernel.session.clear()
  await second.keybay.waas.createWallet()
  expect(operations().map(({ type, user, frame }) => `${type} ${user} ${frame}`)).toEqual([
    'createWalletAccount ada 1',
    'getWallets ada 1',
    'getWallets bob 2',
    'getWallets ada 1',
    'createWalletAccount ada 1',
  ])
})

it('loads a shared frame for a waiting instance when the loading instance changes its user', async () => {
  const { operations } = openFrames()
  const shared = { environmentId: 'shared too' }
  const [first, second] = [openPage(shared), openPage(shared)]
  await Promise.all([first.signIn('ada'), second.signIn('ada')])
  const loading = first.keybay.waas.wallets()
  loading.catch(() => {})
  const waiting = second.keybay.waas.wallets()
  await until(() => iframes().length)
  await first.signIn('bob')
  await expect(loading).rejects.toMatchObject({ code: 'session_changed' })
  expect(await waiting).toHaveLength(1)
  expect(operations().map(({ user }) => user)).toEqual(['ada'])
})
