/**
 * Tests the wallet's password: typed in the frame or given by the page, required from then on, and safe from guessing.
 */
import { WALLET_OPERATIONS } from '@keybay/kernel/spec'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { everythingSent, getForms } from './overheard.js'
import { create, createWaiting, isSignature, press, reload, sign } from './person.js'
import { getFrame, setUpWorld } from './world.js'

// Passwords are derived several times, which takes time on a slow machine.
vi.setConfig({ testTimeout: 300_000 })
const world = setUpWorld()
const [FIRST, SECOND] = ['a long first one', 'another one, longer']

async function made(): Promise<{ page: Page; address: string }> {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  return { page, address }
}

function verify(page: Page, address: string, password: string) {
  return page.evaluate(
    ([address, password]) => {
      const { verifyPassword } = window.host.keybay.waas
      return window.host.outcome(verifyPassword(address, password))
    },
    [address, password] as const,
  )
}

async function enter(page: Page, entered: Readonly<Record<string, string>>, button: string): Promise<void> {
  const frame = await getFrame(page, 'visible')
  for (const [label, text] of Object.entries(entered)) await frame.getByLabel(label, { exact: true }).fill(text)
  await press(frame.getByRole('button', { name: button, exact: true }))
}

function isEncrypted(page: Page, address: string) {
  return page.evaluate(address => window.host.keybay.waas.isPasswordEncrypted(address), address)
}

function begin(page: Page, address: string, call: 'setPassword' | 'updatePassword') {
  return page.evaluate(([address, call]) => window.host.outcome(window.host.keybay.waas[call](address)), [
    address,
    call,
  ] as const)
}

it('[S6.2] sets and changes a wallet password in the frame, and requires the password for every operation', async () => {
  const { page, address } = await made()
  const all = everythingSent(page)
  expect(await isEncrypted(page, address)).toBe(false)
  const required = () =>
    page.evaluate(
      ([address, operations]) => {
        const { requiresPasswordForOperation: ask } = window.host.keybay.waas
        return Promise.all(operations.map(async operation => [operation, await ask(address, operation)] as const))
      },
      [address, WALLET_OPERATIONS] as const,
    )
  expect((await required()).every(([, needed]) => !needed)).toBe(true)
  const setting = begin(page, address, 'setPassword')
  await enter(page, { 'New password': FIRST, 'The same again': 'something else' }, 'Set it')
  const frame = await getFrame(page, 'visible')
  await frame.getByText('The passwords don’t match.').waitFor()
  await enter(page, { 'New password': FIRST, 'The same again': FIRST }, 'Set it')
  expect(await setting).toEqual({ value: undefined })
  expect(await isEncrypted(page, address)).toBe(true)
  for (const [operation, needed] of await required())
    expect([operation, needed]).toEqual([operation, operation !== 'NO_OPERATION'])
  expect((await page.evaluate(() => window.host.keybay.waas.wallets()))[0]?.passwordEncrypted).toBe(true)
  expect((await begin(page, address, 'setPassword')).code).toBe('frame_password_set')

  // Without the password the visible frame prompts, and so does the hidden one, which had the share open.
  await reload(page)
  const signing = sign(page, address, 'locked')
  signing.catch(() => undefined)
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Sign', exact: true }))
  await enter(page, { 'Password or recovery code': FIRST }, 'Continue')
  expect(isSignature(address, 'locked', await signing)).toBe(true)

  const changing = begin(page, address, 'updatePassword')
  const entered = { 'New password': SECOND, 'The same again': SECOND }
  await enter(page, { 'Password now': SECOND, ...entered }, 'Change it')
  await (await getFrame(page, 'visible')).getByText('Wrong password').waitFor()
  await enter(page, { 'Password now': FIRST, ...entered }, 'Change it')
  expect(await changing).toEqual({ value: undefined })
  expect(await verify(page, address, FIRST)).toEqual({ value: false })
  expect(await verify(page, address, SECOND)).toEqual({ value: true })
  const sent = all.join('\n')
  // The search finds public text, so it would find a secret there.
  expect(sent).toContain('/sign\n')
  expect(sent).toContain('"commitment":"')
  for (const secret of [FIRST, SECOND].flatMap(getForms)) expect(sent).not.toContain(secret)
})

it('allows five wrong passwords, then none for a while, whichever operation the page uses', async () => {
  const { page, address } = await made()
  const setting = page.evaluate(
    ([address, newPassword]) => window.host.outcome(window.host.keybay.waas.setPassword(address, { newPassword })),
    [address, FIRST] as const,
  )
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Set it' }))
  expect((await setting).code).toBeUndefined()
  // The frame's clock stands still, however long the guesses take here.
  const now = await page.evaluate(() => Date.now())
  await page.clock.setFixedTime(now)
  for (let guess = 0; guess < 5; guess++)
    expect(await verify(page, address, `guess number ${guess}`)).toEqual({ value: false })
  // The right password fails too, so that the limit does not reveal it.
  expect((await verify(page, address, FIRST)).code).toBe('frame_password_limited')
  const update = await page.evaluate(
    ([address, existingPassword]) =>
      window.host.outcome(
        window.host.keybay.waas.updatePassword(address, { existingPassword, newPassword: 'mine from now on' }),
      ),
    [address, FIRST] as const,
  )
  expect(update.code).toBe('frame_password_limited')
  await reload(page)
  expect((await verify(page, address, FIRST)).code).toBe('frame_password_limited')
  await page.clock.setFixedTime(now + 30_000)
  expect(await verify(page, address, FIRST)).toEqual({ value: true })
})

it('limits password guesses against a sealed backup that waits in the browser for its place', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const address = await createWaiting(page, FIRST)
  const guess = (password: string) =>
    page.evaluate(
      ([address, password]) => {
        const backup = { provider: 'external', envelope: Uint8Array.of(1) } as const
        return window.host.outcome(window.host.keybay.waas.backup(address, { backup, password }))
      },
      [address, password] as const,
    )
  await page.clock.setFixedTime(await page.evaluate(() => Date.now()))
  for (let wrong = 0; wrong < 5; wrong++)
    expect((await guess(`guess number ${wrong}`)).code).toBe('mpc_backup_unreadable')
  expect((await guess(FIRST)).code).toBe('frame_password_limited')
  expect((await verify(page, address, FIRST)).code).toBe('frame_password_limited')
})

it('refuses a short password, and sets no password without the user’s consent', async () => {
  const { page, address } = await made()
  const set = (newPassword: string) =>
    page.evaluate(
      ([address, newPassword]) => window.host.outcome(window.host.keybay.waas.setPassword(address, { newPassword })),
      [address, newPassword] as const,
    )
  expect((await set('short')).code).toBe('frame_password_short')
  const setting = set('chosen by the page')
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Cancel' }))
  expect((await setting).code).toBe('user_rejected')
  expect(await isEncrypted(page, address)).toBe(false)
  expect(isSignature(address, 'free', await sign(page, address, 'free'))).toBe(true)
})
