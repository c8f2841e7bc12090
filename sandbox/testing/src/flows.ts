/** Steps that several tests share. */
import type { Tab } from './visitor.js'

/** Requests 2 SOL from the faucet on the overview, for a connected wallet that has nothing yet. */
export async function receiveAirdrop({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Airdrop 2 SOL' }).click()
  await page.getByRole('region', { name: 'Balance' }).getByText('2 SOL', { exact: true }).waitFor()
}

export async function connectedWallets({ page }: Tab): Promise<readonly string[]> {
  const card = page.getByRole('region', { name: 'Connected wallets' })
  await card.waitFor()
  return card.getByRole('heading', { level: 3 }).allInnerTexts()
}

/** Returns the whole address of the active account, as the header shows it. */
export async function activeAddress({ page }: Tab): Promise<string> {
  const shown = page.getByRole('banner').getByRole('button').locator('[title]')
  return (await shown.getAttribute('title')) ?? ''
}

/** Mints test tokens for an account that has SOL, and asks the wallet to send some DEMO. */
export async function beginTokenTransfer({ page, send }: Tab, to: string, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Get test tokens' }).click()
  await page.getByRole('link', { name: 'Send DEMO', exact: true }).click()
  await page.getByText('100 DEMO available').waitFor()
  await send.fill(to, amount)
  await send.changes.first().waitFor()
  await send.submit.click()
}
