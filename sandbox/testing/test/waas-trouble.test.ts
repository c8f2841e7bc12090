import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { agreeToSign, createWallet, openWallets, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })
/** The browser logs each time-out of a service; the page shows its own text. */
const UNREACHABLE = /Failed to load resource/

it('says that the relay is down, keeps showing the wallets, and signs when the relay is back', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  const { page } = visitor
  const { R1 } = sandbox.walletServices.relays
  await signInByCode(sandbox, visitor, 'outage@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await R1.kill()
  await visitor.go('Sign')
  await page.getByRole('button', { name: 'Sign message' }).click()
  await agreeToSign(visitor, 'message')
  await page.getByText('Not signed.').waitFor()
  await page.getByText('The relay can’t be reached. Try again').first().waitFor()
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  await openWallets(visitor)
  await page.getByText('This may be out of date.').waitFor()
  await page.getByRole('link', { name: /^Security of/ }).waitFor()

  await R1.start()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This may be out of date.').waitFor({ state: 'hidden' })
  await signMessage(visitor, 'It is back')
})
