import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { openSecurity, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true, createsOnLogin: true })

it('signing in gives a new user a wallet that signs, and the app says that it has no backup yet', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'first@example.com')
  const nudge = page.getByText('This wallet has no backup.')
  await nudge.waitFor()
  await page.getByText('if this browser forgets its own, the wallet is lost').waitFor()
  const address = await activeAddress(visitor)
  await visitor.go('Receive')
  await nudge.waitFor()
  await page.getByRole('link', { name: 'Back up now', exact: true }).click()
  expect(new URL(page.url()).pathname).toBe(`/wallets/${address}/backup`)
  await openSecurity(visitor, address)
  await signMessage(visitor, 'It is there')
})

it('a visitor who chooses the embedded wallet signs in first, and is then connected with a new wallet', async () => {
  // The kit logs the first, refused attempt.
  const visitor = await sandbox.visit('/', { expectTrouble: /session_missing/ })
  const { page, connectDialog, signInDialog } = visitor
  await connectDialog.open()
  await connectDialog.choose('Keybay wallet')
  await signInDialog.sendCode('second@example.com')
  await signInDialog.code.fill(await sandbox.accounts.code('second@example.com'))
  await page.getByText('This wallet has no backup.').waitFor()
  await signMessage(visitor, 'Connected after the sign-in')
})
