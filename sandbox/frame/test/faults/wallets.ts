/** Creates, changes and backs up wallets as a user does, each operation with its outcome. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { CODE } from '../secrets.js'
import type { Outcome } from './matrix.js'
import { agreeing } from './screens.js'

/** A backup at the product API shows no question. Its code opens every envelope of these tests. */
const backup = { provider: 'dynamic', password: CODE } as const
export const drive = { provider: 'googleDrive', password: CODE } as const

export function createWallet(page: Page, scheme: ThresholdSignatureScheme, idempotencyKey?: string) {
  return page.evaluate(
    ([scheme, backup, idempotencyKey]) =>
      window.host.outcome(
        window.host.keybay.waas.createWallet({
          scheme,
          ...(idempotencyKey !== undefined && { idempotencyKey }),
          ...(scheme !== 'TWO_OF_TWO' && { backup }),
        }),
      ),
    [scheme, backup, idempotencyKey] as const,
  )
}
/** @returns all wallets of the user, as the relays have them */
export function readWallets(page: Page) {
  return page.evaluate(() => window.host.keybay.waas.wallets())
}
/** @returns the wallet's address */
export async function makeWallet(page: Page, scheme: ThresholdSignatureScheme): Promise<string> {
  expect(await createWallet(page, scheme)).toHaveProperty('value')
  return (await readWallets(page))[0]?.accountAddress ?? ''
}

export async function getWallet(page: Page, address: string) {
  const wallet = (await readWallets(page)).find(({ accountAddress }) => accountAddress === address)
  if (!wallet) throw new Error('The wallet is gone.')
  return wallet
}

/** Change of the shares: to another scheme, or to new shares of the same scheme. */
export type Change = ThresholdSignatureScheme | 'refresh'

export function changeShares(page: Page, address: string, to: Change): Promise<Outcome> {
  const changing = page.evaluate(
    ([address, to, backup]) => {
      const { waas } = window.host.keybay
      const options = to === 'TWO_OF_TWO' ? {} : { backup }
      const changing = to === 'refresh' ? waas.refresh(address, options) : waas.reshare(address, { to, ...options })
      return window.host.outcome(changing)
    },
    [address, to, backup] as const,
  )
  // The page can open the new backup, so the user confirms. A confirmed change that broke resumes without a question.
  return to === 'TWO_OF_TWO' ? changing : agreeing(page, 'Confirm', changing)
}

/** Backs up to the drive. */
export function backUp(page: Page, address: string): Promise<Outcome> {
  return page.evaluate(
    ([address, drive]) => {
      const { waas } = window.host.keybay
      return window.host.outcome(waas.backup(address, { backup: drive, password: drive.password }))
    },
    [address, drive] as const,
  )
}
