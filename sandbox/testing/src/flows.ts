/** What several tests do on the way to what they are about. */
import { expect } from 'vitest'
import type { Tab } from './visitor.js'

/** On the overview, with a wallet connected that has nothing yet: 2 SOL from the faucet. */
export async function receiveAirdrop({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Airdrop 2 SOL' }).click()
  await page.getByRole('region', { name: 'Balance' }).getByText('2 SOL', { exact: true }).waitFor()
}

/** The names of the connected wallets, as the overview lists them. */
export async function connectedWallets({ page }: Tab): Promise<readonly string[]> {
  const card = page.getByRole('region', { name: 'Connected wallets' })
  await card.waitFor()
  return card.getByRole('heading', { level: 3 }).allInnerTexts()
}

/** The whole address of the account in use, as the header gives it. */
export async function activeAddress({ page }: Tab): Promise<string> {
  const shown = page.getByRole('banner').getByRole('button').locator('[title]')
  return (await shown.getAttribute('title')) ?? ''
}

/** ms; what comes sooner is taken sooner */
const PATIENCE = 15_000
/** Looks again and again until the expectation holds. */
export function eventually<T>(read: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: PATIENCE })
}
