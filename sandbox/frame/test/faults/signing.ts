/** Checks that a wallet signs, and that no share signs that should not. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isSignature } from '../person.js'
import type { Outcome } from './matrix.js'
import { remember, withShare } from './other-share.js'
import { getWallet } from './wallets.js'

function trySign(page: Page, address: string, message: string): Promise<Outcome> {
  return page.evaluate(([address, message]) => window.host.outcome(window.host.signMessage(address, message)), [
    address,
    message,
  ] as const)
}

export async function signs(page: Page, address: string): Promise<void> {
  const message = crypto.randomUUID()
  const { value, ...failure } = await trySign(page, address, message)
  expect(failure, 'the wallet does not sign').toEqual({})
  expect(isSignature(address, message, String(value))).toBe(true)
}

export async function signsNot(page: Page, address: string, what: string): Promise<void> {
  const outcome = await trySign(page, address, 'two epochs')
  expect(outcome, `two epochs: ${what} signs`).toMatchObject({ code: expect.any(String) })
}

/** Set → the state whose share is remembered. */
const remembered = new Map<string, string>()
/**
 * Checks that the wallet exists and signs, and that no other share that this browser has or had does. @returns scheme
 * and epoch
 */
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
