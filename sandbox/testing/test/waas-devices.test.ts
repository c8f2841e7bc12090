import { expect, it } from 'vitest'
import { activeAddress, eventually } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, openSecurity, openWallets, type SchemeName, signMessage } from '../src/flows-waas.js'
import { walletFrame } from '../src/pages/wallet-frame.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Tab } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

function devices({ page }: Tab) {
  return page.getByRole('list', { name: 'Devices' }).locator('.item-title').allInnerTexts()
}

it.each<SchemeName>(['2 of 3', '3 of 5'])(
  '[S1.7] lets a second browser in by a code (%s), signs there, and revokes it: only the first one signs then',
  async scheme => {
    const address = `roamer-${scheme.replaceAll(' ', '-')}@example.com`
    const [here, there] = await Promise.all([
      sandbox.visit(),
      // The browser itself says that the relay refuses a revoked set.
      sandbox.visit('/', { expectTrouble: /status of 4(04|09|01|03)/ }),
    ])
    await signInByCode(sandbox, here, address)
    const { address: wallet } = await createWallet(here, { scheme })
    await signInByCode(sandbox, there, address)
    await openSecurity(there, wallet)
    await there.page.getByText('This browser holds no part of the key.').waitFor()
    await there.page.getByRole('button', { name: 'Ask another device' }).click()
    const code = await walletFrame(there.page).screen.locator('pre').textContent()
    expect(code).toMatch(/^[\w-]{4}(-[\w-]{4}){3}$/)

    await here.page.getByRole('button', { name: 'Add a device' }).click()
    const screen = walletFrame(here.page).screen
    await screen.getByText(`It shows the code ${code}.`).waitFor()
    await walletFrame(here.page).press('Add')
    await there.page.getByText('This browser signs for the wallet now').waitFor()
    await eventually(() => devices(there)).toEqual(['First device', 'Added device This browser'])

    await openWallets(there)
    await there.page.getByRole('button', { name: 'Use them here' }).click()
    await eventually(() => activeAddress(there)).toBe(wallet)
    await signMessage(there, 'From the second browser')
    await signMessage(here, 'From the first one')

    await openSecurity(here, wallet)
    await eventually(() => devices(here)).toEqual(['First device This browser', 'Added device'])
    const revoke = here.page.getByRole('button', { name: /^Revoke added device/ })
    await revoke.click()
    await here.page
      .getByRole('group')
      .getByRole('button', { name: /^Revoke added device/ })
      .click()
    await walletFrame(here.page).press('Revoke')
    await eventually(() => devices(here)).toEqual(['First device This browser', 'Added device Revoked'])

    await there.page.getByRole('button', { name: 'Sign message' }).click()
    await there.page.getByText('Not signed.').waitFor()
    await signMessage(here, 'Still here')

    // What the revoked browser keeps is erased when its user agrees in the wallet's window.
    await openSecurity(there, wallet)
    const kept = there.page.getByText('This browser keeps its key share, encrypted.')
    await kept.waitFor()
    await there.page.getByRole('button', { name: /^Erase the key share of set/ }).click()
    await walletFrame(there.page).press('Erase')
    await there.page.getByText('The key share is erased from this browser').waitFor()
    await kept.waitFor({ state: 'detached' })
  },
)
