/** Uses wallets as a user does, and checks that a wallet signs, and that no share signs that should not. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { attempt, attemptAgreed, CODE, call, isSignature, type Outcome, press, windowOpens } from '../user.js'
import { remember, withShare } from './other-share.js'

/** A backup at the product API shows no question. Its code opens every envelope of these tests. */
const backup = { provider: 'dynamic', password: CODE } as const
export const drive = { provider: 'googleDrive', password: CODE } as const

/** Locates the frame that the user sees, whenever it appears; a frame that does not load is replaced by another. */
export function getScreen(page: Page): FrameLocator {
  return page.frameLocator('iframe:not([hidden])')
}
/** Button that agrees to the account of a drive. */
const AGREE = 'Use this account'
/** Presses a button of the visible frame, or the consent to a drive's account, whenever it appears, until the attempt ends: not every click counts. */
export async function agreeing(page: Page, name: string, attempt: Promise<Outcome>): Promise<Outcome> {
  const screen = getScreen(page)
  const button = screen.getByRole('button', { name, exact: true }).or(screen.getByRole('button', { name: AGREE }))
  let isOver = false
  const pressing = async () => {
    // If the button never appears, the attempt reports why.
    while (!isOver)
      await windowOpens(page)
        .then(() => press(button))
        .catch(() => {})
  }
  void pressing()
  return attempt.finally(() => {
    isOver = true
  })
}
/** Closes a question that an aborted operation may have left open. */
export async function leave(page: Page): Promise<void> {
  await page.bringToFront()
  for (;;) {
    const shown = await page.$('iframe:not([hidden])')
    if (!shown) return
    // Press only in this frame, which may disappear by itself: the next frame shows another question.
    const frame = await shown.contentFrame()
    if (frame) press(frame.getByRole('button', { name: 'Cancel' })).catch(() => {}) // the frame is gone
    await shown.waitForElementState('hidden')
  }
}

export function createWallet(page: Page, scheme: ThresholdSignatureScheme, idempotencyKey?: string): Promise<Outcome> {
  return attempt(page, 'createWallet', {
    scheme,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(scheme !== 'TWO_OF_TWO' && { backup }),
  })
}
/**
 * Creates a wallet that signs messages unasked in this browser: the question takes most of the processor time of a
 * signature, and the matrix signs after each fault.
 * @returns its address
 */
export async function makeWallet(page: Page, scheme: ThresholdSignatureScheme): Promise<string> {
  expect(await createWallet(page, scheme)).toHaveProperty('value')
  const address = (await call(page, 'wallets'))[0]?.accountAddress ?? ''
  const setting = attempt(page, 'setPolicy', address, { programs: [], messages: true })
  expect(await agreeing(page, 'Change', setting)).toHaveProperty('value')
  return address
}

export async function getWallet(page: Page, address: string) {
  const wallet = (await call(page, 'wallets')).find(({ accountAddress }) => accountAddress === address)
  if (!wallet) throw new Error('The wallet is gone.')
  return wallet
}

/** Change of the shares: to another scheme, or to new shares of the same scheme. */
export type Change = ThresholdSignatureScheme | 'refresh'

export function changeShares(page: Page, address: string, to: Change): Promise<Outcome> {
  if (to === 'TWO_OF_TWO') return attempt(page, 'reshare', address, { to })
  const changing =
    to === 'refresh' ? attempt(page, 'refresh', address, { backup }) : attempt(page, 'reshare', address, { to, backup })
  // The page can open the new backup, so the user confirms. A confirmed change that broke resumes without a question.
  return agreeing(page, 'Confirm', changing)
}

/** Backs up to the drive. */
export function backUp(page: Page, address: string): Promise<Outcome> {
  return agreeing(page, AGREE, attempt(page, 'backup', address, { backup: drive, password: drive.password }))
}

export async function signs(page: Page, address: string): Promise<void> {
  const message = crypto.randomUUID()
  const { value, ...failure } = await attemptAgreed(page, address, message)
  expect(failure, 'the wallet does not sign').toEqual({})
  expect(isSignature(address, message, String(value))).toBe(true)
}

export async function signsNot(page: Page, address: string, what: string): Promise<void> {
  const outcome = await attemptAgreed(page, address, 'two epochs')
  expect(outcome, `two epochs: ${what} signs`).toMatchObject({ code: expect.any(String) })
}

/** Set → the state whose share is remembered. */
const remembered = new Map<string, string>()
/** Checks that the wallet signs, and that no other share that this browser has or had does. @returns scheme and epoch */
export async function look(page: Page, address: string): Promise<string> {
  const { here, setId, epoch, thresholdSignatureScheme } = await getWallet(page, address)
  expect(here).toBe(true)
  await signs(page, address)
  const state = `${thresholdSignatureScheme} ${epoch}`
  const known = remembered.get(setId)
  await withShare(page, setId, 'pending', () => signsNot(page, address, 'a share that waits for its commit'))
  if (known === state) return state
  if (known !== undefined) await withShare(page, setId, 'old', () => signsNot(page, address, 'an old share'))
  await remember(page, setId)
  remembered.set(setId, state)
  return state
}
