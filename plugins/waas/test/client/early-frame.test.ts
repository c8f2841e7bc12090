// @vitest-environment happy-dom
/** The hidden frame that loads while the user signs in. The login is a stand-in, and so are the frames. */
import type { UserCredential } from '@keybay/account'
import { settle } from '@keybay/kernel/testing'
import { expect, it } from 'vitest'
import { iframes, type KitOptions, open, until } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

const FACTS = { createdAt: 0, lastUsedAt: 0 }
const EMAIL = { id: 'c1', method: 'email', email: 'mara@example.com', ...FACTS } as const
const PHANTOM = { id: 'c2', method: 'blockchain', walletName: 'Phantom', address: 'a', ...FACTS } as const
const EMBEDDED = { ...PHANTOM, id: 'c3', walletName: 'dynamicWaas' } as const

interface Options extends KitOptions {
  readonly credentials?: readonly UserCredential[]
  /** False: the first frame says nothing. */
  readonly worksAtOnce?: boolean
}
/** A page on which Mara begins to sign in. */
function openPage({ credentials = [EMAIL], worksAtOnce = true, ...options }: Options = {}) {
  let count = 0
  const kit = open(
    {
      sendAuthToken: () => null,
      getWallets: () => [standInWallet],
      createWalletAccount: () => ({ wallet: standInWallet }),
    },
    { ...options, credentials, signedIn: false, frame: { works: () => worksAtOnce || ++count > 1 } },
  )
  const begins = () => void kit.keybay.connect('code').catch(() => {})
  const types = () => kit.received.map(([, type]) => type)
  const failures = () => kit.events.filter(([name]) => name === 'waas:failed')
  return { ...kit, begins, types, failures, signsIn: () => kit.signIn('mara', 'token-of-mara') }
}
async function settleAll(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await settle()
}

it('loads the frame when the user begins to sign in, gives it no token before that, and creates the wallet in it', async () => {
  const { keybay, begins, frames, types, signsIn } = openPage()
  await settleAll()
  expect(frames.loaded).toEqual([])
  begins()
  await until(() => frames.loaded.length)
  await settleAll()
  expect(types()).toEqual([])
  await signsIn()
  await until(() => keybay.connections.get('waas'))
  expect(types()).toEqual(['sendAuthToken', 'createWalletAccount'])
  expect([frames.loaded.length, iframes().length]).toEqual([1, 1])
})

it.each([
  ['the app creates wallets itself', { options: { createOnLogin: 'off' } }],
  ['embedded wallets are off', { embeddedWallets: { enabled: false } }],
] as const)('loads no frame for a sign-in where %s', async (_, options) => {
  const { begins, frames } = openPage(options)
  begins()
  await settleAll()
  expect(frames.loaded).toEqual([])
})

it('loads no frame when a user who is signed in adds a login', async () => {
  const { begins, frames, signsIn } = openPage({ credentials: [EMAIL, PHANTOM] })
  await signsIn()
  begins()
  await settleAll()
  expect(frames.loaded).toEqual([])
})

it('loads one frame for two attempts to sign in', async () => {
  const { begins, frames, keybay } = openPage()
  begins()
  await until(() => frames.loaded.length)
  const other = keybay.connect('code').catch(() => {})
  await settleAll()
  expect(frames.loaded).toHaveLength(1)
  keybay.attempts.reset('code')
  await other
})

it('removes the frame when the sign-in fails', async () => {
  const { keybay, begins, frames } = openPage()
  begins()
  await until(() => frames.loaded.length)
  await settleAll()
  keybay.attempts.reset('code')
  await settleAll()
  expect(iframes()).toEqual([])
})

it('removes the frame of a user who needs no wallet', async () => {
  const { begins, frames, signsIn, types } = openPage({ credentials: [EMAIL, PHANTOM] })
  begins()
  await until(() => frames.loaded.length)
  await signsIn()
  await settleAll()
  expect([iframes(), types()]).toEqual([[], []])
})

it('removes the frame when the app disposes the kit', async () => {
  const { keybay, begins, frames } = openPage()
  begins()
  await until(() => frames.loaded.length)
  keybay.dispose()
  await settleAll()
  expect(iframes()).toEqual([])
})

it('keeps the frame for the first operation of a user who has an embedded wallet', async () => {
  const { keybay, begins, frames, signsIn } = openPage({ credentials: [EMAIL, EMBEDDED] })
  begins()
  await until(() => frames.loaded.length)
  await signsIn()
  await settleAll()
  await keybay.connect('waas')
  expect([frames.loaded.length, iframes().length]).toEqual([1, 1])
})

it('loads another frame, without an error, if the early one says nothing', async () => {
  const { keybay, begins, frames, signsIn, clock, failures } = openPage({ worksAtOnce: false })
  begins()
  await until(() => frames.loaded.length)
  await signsIn()
  await settleAll()
  await clock.advance(10_000)
  await until(() => keybay.connections.get('waas'))
  expect([frames.loaded.length, iframes().length, failures()]).toEqual([2, 1, []])
})

it('loads another frame, without an error, if the early one no longer responds', async () => {
  const { keybay, begins, frames, signsIn, clock, failures } = openPage()
  begins()
  await until(() => frames.loaded.length)
  await settleAll()
  frames.stop()
  await signsIn()
  await settleAll()
  await clock.advance(5000)
  await until(() => keybay.connections.get('waas'))
  expect([frames.loaded.length, iframes().length, failures()]).toEqual([2, 1, []])
})

it('loads another frame, without an error, if the app removed the early one', async () => {
  const { keybay, begins, frames, signsIn, failures } = openPage()
  begins()
  await until(() => frames.loaded.length)
  await settleAll()
  iframes()[0]?.remove()
  await signsIn()
  await until(() => keybay.connections.get('waas'))
  expect([frames.loaded.length, iframes().length, failures()]).toEqual([2, 1, []])
})
