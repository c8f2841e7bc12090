// @vitest-environment happy-dom
/** The switch to a wallet of the user's account, while another wallet is in use. */
import { expect, it } from 'vitest'
import { configurePage, setUpScreen, show, testWallet } from './screen.js'

configurePage()
const { UseHere } = await import('../src/connect/connect-provider.js')
const setup = setUpScreen()

async function open() {
  const custody = testWallet('turnkey')
  const { keybay } = await setup.open(0n, [custody.connector])
  const page = show(keybay, <UseHere connector="turnkey" says="…" action="Use it here" failed="Not connected." />)
  await page.sees('Use it here')
  return { custody, keybay, page }
}

it('“Use it here” connects a wallet and makes its account the active one, although another wallet was in use', async () => {
  const { custody, keybay, page } = await open()
  page.press('Use it here')
  await expect.poll(() => keybay.accounts.active('solana')?.address).toBe(custody.address)
})

it('“Use it here” switches to a wallet that is connected already', async () => {
  const { custody, keybay, page } = await open()
  await keybay.connect('turnkey')
  expect(keybay.accounts.active('solana')?.address).not.toBe(custody.address)
  page.press('Use it here')
  await expect.poll(() => keybay.accounts.active('solana')?.address).toBe(custody.address)
})
