// @vitest-environment happy-dom
/** The home page of a user who has a wallet, in a browser where it is not connected. */
import type { WaasWallet } from '@keybay/waas'
import { expect, it } from 'vitest'
import { openEmbedded } from './embedded-wallets.js'
import { configurePage, setUpScreen, show } from './screen.js'

configurePage()
const { AccountNudge } = await import('../src/embedded/account-nudge.js')
const { YourWallets } = await import('../src/overview/your-wallets.js')
const setup = setUpScreen()

async function open(changes: Partial<WaasWallet>) {
  const { keybay, address } = await openEmbedded(setup.chain.url, changes)
  const page = show(keybay, <YourWallets />)
  const links = () => [...page.element.querySelectorAll('a')].map(({ textContent }) => textContent)
  return { keybay, address, page, links }
}

it('offers another browser to join by a code or to restore the backup, and no new wallet', async () => {
  const { page, links } = await open({ here: false })
  await page.sees('Your wallet is on another device')
  expect(page.button('Get a code')).toBeDefined()
  expect(links()).toEqual(['Restore', 'All your wallets'])
})

it('offers no backup of a wallet that has none, and says which device can help', async () => {
  const { page, links } = await open({ here: false, thresholdSignatureScheme: 'TWO_OF_TWO' })
  await page.sees('only the other device can add this browser')
  expect(page.button('Get a code')).toBeDefined()
  expect(links()).toEqual(['All your wallets'])
})

it('uses a wallet of this browser with one click', async () => {
  const { keybay, address, page } = await open({})
  await page.sees('Your wallet is in this browser.')
  page.press('Use your wallet')
  await expect.poll(() => keybay.accounts.active('solana')?.address).toBe(address)
})

it('says beside a connected account that this browser cannot sign for it yet', async () => {
  const { keybay, address } = await openEmbedded(setup.chain.url, { here: false })
  await keybay.connect('waas')
  const account = keybay.accounts.list()[0]
  if (!account) throw new Error('no account')
  const page = show(keybay, <AccountNudge account={account} />)
  await page.sees('This browser can’t sign for your wallet yet.')
  expect(page.element.querySelector('a')?.getAttribute('href')).toBe(`/wallets/${address}`)
})
