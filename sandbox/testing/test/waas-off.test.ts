import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { signInByCode } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'

/** The API's own default: an operator who says nothing has embedded wallets off. */
const sandbox = setUpSandbox({ accounts: { environment: {} }, embeddedWallets: true })

it.each(['light', 'dark'] as const)(
  'where embedded wallets are off, creating and importing say so before the user chooses anything, in %s',
  async colorScheme => {
    const visitor = await sandbox.visit('/wallets', { colorScheme })
    const { page } = visitor
    await signInByCode(sandbox, visitor, `off-${colorScheme}@example.com`)
    for (const path of ['/wallets/new', '/wallets/import']) {
      await visitor.open(path)
      await page.getByRole('heading', { name: 'New wallets are turned off' }).waitFor()
      await page.getByText('Wallets that you already have work as before.').waitFor()
      expect(await page.getByRole('button', { name: /^(Create wallet|Enter the key)$/ }).count()).toBe(0)
      expect(await findViolations(page)).toEqual([])
    }
  },
)
