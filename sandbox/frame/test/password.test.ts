/** Tests the wallet's password: typed in the frame or given by the page, then required, and safe from guessing. */
import { WALLET_OPERATIONS } from '@keybay/kernel/spec'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { everythingSent, getForms } from './overheard.js'
import {
  agree,
  attempt,
  call,
  createWaiting,
  enter,
  expectSigns,
  isSignature,
  open,
  press,
  readWallet,
  reload,
  setPassword,
  sign,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

// Passwords are derived several times, which takes time on a slow machine.
vi.setConfig({ testTimeout: 300_000 })
const world = setUpWorld()
const [FIRST, SECOND] = ['a long first one', 'another one, longer']

/** Fills fields of the visible frame, and presses a button. @returns the frame */
async function enterAll(page: Page, entered: Readonly<Record<string, string>>, button: string) {
  const frame = await getFrame(page, 'visible')
  for (const [label, text] of Object.entries(entered)) await frame.getByLabel(label, { exact: true }).fill(text)
  await press(frame.getByRole('button', { name: button, exact: true }))
  return frame
}

it('[S6.2][S7.3] sets and changes a wallet password in the frame, required for every operation: requiresPasswordForOperation, isPasswordEncrypted, verifyPassword, updatePassword', async () => {
  const { page, address } = await open(world)
  const all = everythingSent(page)
  expect(await call(page, 'isPasswordEncrypted', address)).toBe(false)
  const getRequired = async () => {
    const needed: boolean[] = []
    for (const operation of WALLET_OPERATIONS)
      needed.push(await call(page, 'requiresPasswordForOperation', address, operation))
    return needed
  }
  expect(await getRequired()).toEqual(WALLET_OPERATIONS.map(() => false))
  const setting = attempt(page, 'setPassword', address)
  const differing = { 'New password': FIRST, 'The same again': 'something else' }
  await (await enterAll(page, differing, 'Set it')).getByText('The passwords don’t match.').waitFor()
  await enterAll(page, { 'New password': FIRST, 'The same again': FIRST }, 'Set it')
  expect(await setting).toEqual({ value: undefined })
  expect(await call(page, 'isPasswordEncrypted', address)).toBe(true)
  expect(await getRequired()).toEqual(WALLET_OPERATIONS.map(operation => operation !== 'NO_OPERATION'))
  expect((await readWallet(page))?.passwordEncrypted).toBe(true)
  expect((await attempt(page, 'setPassword', address)).code).toBe('frame_password_set')

  // Without the password the visible frame prompts, and so does the hidden one, which had the share open.
  await reload(page)
  const signing = sign(page, address, 'locked')
  signing.catch(() => undefined)
  await agree(page, 'Sign')
  const prompt = await enterAll(page, { 'Password or recovery code': 'wrong' }, 'Continue')
  await prompt.getByRole('alert').getByText('Wrong password').waitFor()
  await enterAll(page, { 'Password or recovery code': FIRST }, 'Continue')
  expect(isSignature(address, 'locked', await signing)).toBe(true)

  const changing = attempt(page, 'updatePassword', address)
  const entered = { 'New password': SECOND, 'The same again': SECOND }
  const frame = await enterAll(page, { 'Password now': SECOND, ...entered }, 'Change it')
  await frame.getByText('Wrong password').waitFor()
  await enterAll(page, { 'Password now': FIRST, ...entered }, 'Change it')
  expect(await changing).toEqual({ value: undefined })
  expect(await call(page, 'verifyPassword', address, FIRST)).toBe(false)
  expect(await call(page, 'verifyPassword', address, SECOND)).toBe(true)
  const sent = all.join('\n')
  // The search finds public text, so it would find a secret there.
  expect(sent).toContain('/sign\n')
  expect(sent).toContain('"commitment":"')
  for (const secret of [FIRST, SECOND].flatMap(getForms)) expect(sent).not.toContain(secret)
})

it('allows five wrong passwords, then none for a while, whichever operation the page uses', async () => {
  const { page, address } = await open(world)
  await setPassword(page, address, FIRST)
  const verify = (password: string) => attempt(page, 'verifyPassword', address, password)
  // The frame's clock stands still, however long the guesses take here.
  const now = await page.evaluate(() => Date.now())
  await page.clock.setFixedTime(now)
  for (let guess = 0; guess < 5; guess++) expect(await verify(`guess number ${guess}`)).toEqual({ value: false })
  // The right password fails too, so that the limit does not reveal it.
  expect((await verify(FIRST)).code).toBe('frame_password_limited')
  const passwords = { existingPassword: FIRST, newPassword: 'mine from now on' }
  expect((await attempt(page, 'updatePassword', address, passwords)).code).toBe('frame_password_limited')
  await reload(page)
  expect((await verify(FIRST)).code).toBe('frame_password_limited')
  await page.clock.setFixedTime(now + 30_000)
  expect(await verify(FIRST)).toEqual({ value: true })
})

it('limits password guesses against a sealed backup that waits in the browser for its place', async () => {
  const { page } = await enter(world)
  const address = await createWaiting(page, FIRST)
  const backup = { provider: 'external', envelope: Uint8Array.of(1) } as const
  const guess = (password: string) => attempt(page, 'backup', address, { backup, password })
  await page.clock.setFixedTime(await page.evaluate(() => Date.now()))
  for (let wrong = 0; wrong < 5; wrong++)
    expect((await guess(`guess number ${wrong}`)).code).toBe('mpc_backup_unreadable')
  expect((await guess(FIRST)).code).toBe('frame_password_limited')
  expect((await attempt(page, 'verifyPassword', address, FIRST)).code).toBe('frame_password_limited')
})

it('refuses a short password, and sets no password without the user’s consent', async () => {
  const { page, address } = await open(world)
  const short = await attempt(page, 'setPassword', address, { newPassword: 'short' })
  expect(short.code).toBe('frame_password_short')
  const setting = attempt(page, 'setPassword', address, { newPassword: 'chosen by the page' })
  await agree(page, 'Cancel')
  expect((await setting).code).toBe('user_rejected')
  expect(await call(page, 'isPasswordEncrypted', address)).toBe(false)
  await expectSigns(page, address)
})
