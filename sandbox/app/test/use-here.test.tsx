// @vitest-environment happy-dom
/** The switch to a wallet of the user's account, while another wallet is in use. */
import { mockWallet } from '@keybay/kernel/testing'
import { expect, it } from 'vitest'
import { configurePage, setUpScreen, show } from './screen.js'

configurePage()
const { UseHere } = await import('../src/connect/connect-provider.js')
const setup = setUpScreen()

async function open() {
  const custody = mockWallet({ name: 'turnkey' })
  const { keybay } = await setup.open(0n, [custody.connector])
  const page = show(keybay, <UseHere connector="turnkey" says="…" action="Use it here" failed="Not connected." />)
  await page.sees('Use it here')
  return { keybay, page }
}

it('“Use it here” connects a wallet and makes its account the active one, although another wallet was in use', async () => {
  const { keybay, page } = await open()
  page.press('Use it here')
  await expect.poll(() => keybay.accounts.active('solana')?.connectorId).toBe('turnkey')
})

it('“Use it here” switches to a wallet that is connected already', async () => {
  const { keybay, page } = await open()
  await keybay.connect('turnkey')
  expect(keybay.accounts.active('solana')?.connectorId).not.toBe('turnkey')
  page.press('Use it here')
  await expect.poll(() => keybay.accounts.active('solana')?.connectorId).toBe('turnkey')
})
