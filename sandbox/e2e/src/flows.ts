/** What several tests do on the way to what they are about. */
import type { Tab } from './visitor.js'

/** On the overview, with a wallet connected that has nothing yet: 2 SOL from the faucet. */
export const receiveAirdrop = async ({ page }: Tab): Promise<void> => {
  await page.getByRole('button', { name: 'Airdrop 2 SOL' }).click()
  await page.getByRole('main').getByText('2 SOL', { exact: true }).waitFor()
}

/** The names of the connected wallets, as the overview lists them. */
export const connectedWallets = async ({ page }: Tab): Promise<readonly string[]> => {
  const card = page.getByRole('region', { name: 'Connected wallets' })
  await card.waitFor()
  return card.getByRole('heading', { level: 3 }).allInnerTexts()
}

/** The whole address of the account in use, as the header names it. */
export const activeAddress = async ({ page }: Tab): Promise<string> => {
  const name = await page
    .getByRole('banner')
    .getByRole('link', { name: /^Account / })
    .getAttribute('aria-label')
  return name?.replace('Account ', '') ?? ''
}
