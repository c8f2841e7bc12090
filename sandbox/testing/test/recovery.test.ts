import { expect, it } from 'vitest'
import { receiveAirdrop } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { agreeToSign, createWallet, openAdvanced, restoreWallet, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'

function short(address: string) {
  return `${address.slice(0, 6)}…${address.slice(-6)}`
}

it('[S1.12] the recovery drill restores a wallet in a second profile, lists the new device, and revokes it; “I lost my device” on the sign-in screen then restores it with the same address, which sends', async () => {
  const here = await sandbox.visit()
  await signInByCode(sandbox, here, 'drill@example.com')
  const { address, backup } = await createWallet(here)
  if (!backup) throw new Error('2 of 3 has a backup')
  await here.page.getByRole('link', { name: 'Test my recovery' }).click()
  await here.page.getByRole('heading', { name: 'Test my recovery', level: 1 }).waitFor()
  await here.page.getByText('No new device yet.').waitFor()
  const link = await here.page.getByRole('list', { name: 'What to do' }).getByText('/restore').textContent()

  // The browser logs the relay's refusal of a revoked set.
  const there = await sandbox.visit('/', { expectTrouble: /status of 4\d\d/ })
  await signInByCode(sandbox, there, 'drill@example.com')
  await there.open(new URL(link ?? '').pathname)
  expect((await restoreWallet(there, backup, 'This is one more device')).address).toBe(address)
  await signMessage(there, 'From the drill')

  await here.page.getByRole('button', { name: 'Look for the new device' }).click()
  await here.page.getByText('Your recovery works.').waitFor()
  await here.page.getByRole('button', { name: 'Revoke the test device' }).click()
  await here.page.getByRole('group').getByRole('button', { name: 'Revoke the test device' }).click()
  await walletFrame(here.page).press('Revoke')
  await here.page.getByText('The test device is gone again.').waitFor()
  await there.page.getByRole('button', { name: 'Sign message' }).click()
  await agreeToSign(there, 'message')
  await there.page.getByText('Not signed.').waitFor()
  await signMessage(here, 'Still here')

  await here.go('Overview')
  await receiveAirdrop(here)
  // Everything that these browsers stored is gone with them.
  await Promise.all([here.context.close(), there.context.close()])
  const visitor = await sandbox.visit()
  const { page, send } = visitor
  await visitor.signInDialog.open()
  await page.getByRole('button', { name: 'I lost my device' }).click()
  await page.getByRole('heading', { name: 'I lost my device', level: 1 }).waitFor()
  await signInByCode(sandbox, visitor, 'drill@example.com')
  await page.getByRole('link', { name: `Restore ${short(address)}` }).click()
  await page.getByRole('heading', { name: 'Restore a wallet', level: 1 }).waitFor()
  const restored = await restoreWallet(visitor, backup, 'My other device is lost')
  expect(restored.address).toBe(address)
  expect(restored.backup?.equals(backup)).toBe(false)
  await openAdvanced(visitor)
  await page.getByText('1 · older parts are worthless').waitFor()
  await visitor.go('Send')
  await send.fill(OTHER, '0.25')
  await send.submit.click()
  await agreeToSign(visitor, 'transaction')
  await send.confirmed.waitFor()
})
