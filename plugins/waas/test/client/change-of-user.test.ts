// @vitest-environment happy-dom
/** Another user signs in on the same page. Each frame here serves one user and refuses the token of another. */
import { settle } from '@keybay/kernel/testing'
import { describe, expect, it } from 'vitest'
import type { WaasOptions } from '../../src/index.js'
import type { HandlerContext, Handlers, WaasMessages, WaasMessageType } from '../../src/protocol/index.js'
import { samples } from '../protocol/samples.js'
import { installFrames } from './frames.js'
import { ends, iframes, type Kit, openKit, until } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

type Respond = (context: HandlerContext) => unknown
interface Received {
  readonly frame: number
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
  const makeHandlers = (): Handlers<WaasMessages> => {
    const frame = ++count
    let frameUser: string | undefined
    return Object.fromEntries(
      Object.entries(samples).map(([type, [, result]]) => [
        type,
        ({ authToken = '' }: { readonly authToken?: string }, context: HandlerContext) => {
          const user = getUser(authToken)
          received.push({ frame, type, user })
          frameUser ??= user
          if (user !== frameUser) throw new Error(`${frameUser}’s frame got ${user}’s token`)
          const respond = Object.entries(responses).find(([name]) => name === type)?.[1]
          return respond ? respond(context) : result
        },
      ]),
    )
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

async function openAsAda(responses?: Parameters<typeof openFrames>[0]) {
  const frames = openFrames(responses)
  const page = openPage()
  await page.signIn('ada')
  return { ...frames, page }
}

/** A promise whose rejection is read later. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

const CHANGES: readonly (readonly [how: string, change: (page: Page) => Promise<void>])[] = [
  ['after a sign-out', ({ kernel, signIn }) => kernel.session.clear().then(() => signIn('bob'))],
  ['without a sign-out', ({ signIn }) => signIn('bob')],
]
describe('an operation of the previous user', () => {
  const pending = () => new Promise(() => {})

  it.each(CHANGES)(
    'an operation ends with session_changed when another user signs in %s, and is not sent again',
    async (_, change) => {
      const { operations, page } = await openAsAda({ createWalletAccount: pending })
      const making = handled(page.keybay.waas.createWallet())
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
    const { operations, page } = await openAsAda({ getWallet: () => new Promise(resolve => (answer = resolve)) })
    const resharing = handled(page.keybay.waas.reshare(address, { to: 'THREE_OF_FIVE' }))
    await until(() => operations().length)
    await page.signIn('bob')
    answer({ wallet: standInWallet, ready: true, needs: [] })
    await expect(resharing).rejects.toMatchObject({ code: 'session_changed' })
    await page.keybay.waas.wallets()
    expect(operations().map(({ type }) => type)).toEqual(['getWallet', 'getWallets'])
  })

  it('an operation does not begin when its code loads after a change of user', async () => {
    const { operations, page } = await openAsAda()
    const making = page.keybay.waas.createWallet()
    const changing = page.signIn('bob')
    await expect(making).rejects.toMatchObject({ code: 'session_changed' })
    await changing
    expect(operations()).toEqual([])
  })

  it('a change of user ends an operation while the frame still loads', async () => {
    const { operations, received, page } = await openAsAda()
    await page.keybay.waas.wallets()
    await page.kernel.session.clear()
    await page.signIn('ada')
    const listing = handled(page.keybay.waas.wallets())
    await until(() => iframes().length)
    await page.signIn('bob')
    await expect(listing).rejects.toMatchObject({ code: 'session_changed' })
    await page.keybay.waas.wallets()
    expect(operations().map(({ user }) => user)).toEqual(['ada', 'bob'])
    expect(received.at(-1)).toMatchObject({ type: 'getWallets', user: 'bob' })
  })

  it('a change of user closes the window of an operation, and the frame in the window', async () => {
    const { operations, page } = await openAsAda({ exportClientKeyshares: pending })
    const copying = handled(page.keybay.waas.exportClientKeyshares(address))
    await until(() => operations().length)
    expect(document.querySelectorAll('dialog')).toHaveLength(1)
    await page.kernel.session.clear()
    await expect(copying).rejects.toMatchObject({ code: 'session_changed' })
    await until(() => !iframes().length)
    expect(document.querySelectorAll('dialog')).toHaveLength(0)
  })

  it('an operation of the previous user shows none of its wallets to the new user', async () => {
    let answer = (_: unknown) => {}
    const { page } = await openAsAda({ getWallets: () => new Promise(resolve => (answer = resolve)) })
    const connecting = handled(page.keybay.connect('waas'))
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
  const { operations, frames, page } = await openAsAda({
    createWalletAccount: () => new Promise(resolve => (answer = resolve)),
  })
  const making = page.keybay.waas.createWallet()
  await until(() => operations().length)
  await page.signIn('ada', 1)
  answer({ wallet: standInWallet })
  await expect(making).resolves.toMatchObject({ wallet: { accountAddress: address } })
  await page.keybay.waas.wallets()
  expect(frames.loaded).toHaveLength(1)
})

it('removes the frame at a sign-out in another tab, and serves the next user', async () => {
  const { operations, page } = await openAsAda()
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
  const loading = handled(first.keybay.waas.wallets())
  const waiting = second.keybay.waas.wallets()
  await until(() => iframes().length)
  await first.signIn('bob')
  await expect(loading).rejects.toMatchObject({ code: 'session_changed' })
  expect(await waiting).toHaveLength(1)
  expect(operations().map(({ user }) => user)).toEqual(['ada'])
})
