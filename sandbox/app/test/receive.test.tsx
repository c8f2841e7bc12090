// @vitest-environment happy-dom
import type { WaasWallet } from '@keybay/waas'
import { expect, it } from 'vitest'
import { openEmbedded } from './embedded-wallets.js'
import { configurePage, setUpScreen, show } from './screen.js'

configurePage()
const { ReceivePage } = await import('../src/receive/receive-page.js')
const setup = setUpScreen()
const SOL = 1_000_000_000n

/** @param sol balance of the wallet */
async function open(sol: bigint, changes?: Partial<WaasWallet>) {
  const { keybay, address } = await openEmbedded(setup.chain.url, changes)
  await keybay.connect('waas')
  await keybay.solana.requestAirdrop(address, sol * SOL)
  return { address, page: show(keybay, <ReceivePage />) }
}

it('hides the address of a wallet above the limit without a backup, and shows it when the backup is done', async () => {
  const { address, page } = await open(2n)
  await page.sees('Back up your wallet to receive more')
  await page.sees('It holds more than 1 SOL and has no current backup')
  expect(page.element.textContent).not.toContain(address)
  expect(page.element.querySelector('svg[role="img"]')).toBeNull()
  page.press('Back up now')
  await page.sees(address)
  expect(page.button('Copy address')).toBeDefined()
  expect(page.button('Back up now')).toBeUndefined()
})

it('shows the address of a wallet at the limit without a backup, and still offers the backup', async () => {
  const { address, page } = await open(1n)
  await page.sees(address)
  await page.sees('This wallet has no backup.')
})

it('offers no backup where the browser cannot make it', async () => {
  const { address, page } = await open(2n, { here: false, thresholdSignatureScheme: 'TWO_OF_TWO' })
  await page.sees('Back it up in the browser where you made it.')
  expect(page.button('Back up now')).toBeUndefined()
  expect(page.element.textContent).not.toContain(address)
})
