import { expect, it } from 'vitest'
import { signInByCode } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'

/** The API's default: embedded wallets are off unless the operator enables them. */
const sandbox = setUpSandbox({ accounts: { environment: {} }, embeddedWallets: true })

it('says that new embedded wallets are turned off before the user chooses any option', async () => {
  const visitor = await sandbox.visit('/wallets')
  const { page } = visitor
  const { inspect, problems } = inspectScreens(page)
  await signInByCode(sandbox, visitor, 'off@example.com')
  for (const path of ['/wallets/new', '/wallets/import']) {
    await visitor.open(path)
    await page.getByRole('heading', { name: 'New wallets are turned off' }).waitFor()
    await page.getByText('Wallets that you already have work as before.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^(Create wallet|Enter the key)$/ }).count()).toBe(0)
    await inspect(`off ${path.slice('/wallets/'.length)}`)
  }
  expect(problems).toEqual([])
})
