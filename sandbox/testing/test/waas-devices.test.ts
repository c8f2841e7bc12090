import { typeJoinCode } from '@keybay/sandbox-tools/testing/join-code'
import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { agreeToSign, askToSign, createWallet, openSecurity, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Tab } from '../src/visitor.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

function devices({ page }: Tab) {
  return page.getByRole('list', { name: 'Devices' }).locator('.keybay-item-title').allInnerTexts()
}

it('[S1.7] a second browser offers to join by a code, and signs; after its revocation only the first browser signs', async () => {
  const address = 'roamer@example.com'
  const [first, second] = await Promise.all([
    sandbox.visit(),
    // The browser logs the relay's refusal of a revoked set.
    sandbox.visit('/', { expectTrouble: /status of 4(04|09|01|03)/ }),
  ])
  await signInByCode(sandbox, first, address)
  const { address: wallet } = await createWallet(first, { scheme: '3 of 5' })
  await signInByCode(sandbox, second, address)
  await second.page.getByRole('heading', { name: 'Welcome back', level: 1 }).waitFor()
  await second.page.getByRole('region', { name: 'Your wallet is on another device' }).waitFor()
  await expect
    .poll(() => second.page.getByRole('main').getByRole('link').allInnerTexts())
    .toEqual(['Restore', 'All your wallets'])
  await second.page.getByRole('button', { name: 'Get a code' }).click()
  const code = (await walletFrame(second.page).screen.locator('pre').textContent()) ?? ''
  expect(code).toMatch(/^\w{6}(-\w{6}){3}$/)

  await first.page.getByRole('button', { name: 'Add a device' }).click()
  await typeJoinCode(walletFrame(first.page).screen, code)
  await walletFrame(first.page).press('Add')
  await second.page.getByText('This browser signs for the wallet now').waitFor()
  await expect.poll(() => activeAddress(second)).toBe(wallet)
  await signMessage(second, 'From the second browser')
  await openSecurity(second, wallet)
  await expect.poll(() => devices(second)).toEqual(['First device', 'Added device This browser'])
  await signMessage(first, 'From the first one')

  await openSecurity(first, wallet)
  await expect.poll(() => devices(first)).toEqual(['First device This browser', 'Added device'])
  const revoke = first.page.getByRole('button', { name: /^Revoke added device/ })
  await revoke.click()
  await first.page
    .getByRole('group')
    .getByRole('button', { name: /^Revoke added device/ })
    .click()
  await walletFrame(first.page).press('Revoke')
  await expect.poll(() => devices(first)).toEqual(['First device This browser', 'Added device Revoked'])

  await askToSign(second, 'From the revoked browser')
  await agreeToSign(second, 'message')
  await second.page.getByText('Not signed.').waitFor()
  await signMessage(first, 'Still here')

  // The share stays in the revoked browser until its user agrees in the wallet's window.
  await openSecurity(second, wallet)
  const retained = second.page.getByText('This browser keeps its key share, encrypted.')
  await retained.waitFor()
  await second.page.getByRole('button', { name: /^Erase the key share of set/ }).click()
  await walletFrame(second.page).press('Erase')
  await second.page.getByText('The key share is erased from this browser').waitFor()
  await retained.waitFor({ state: 'detached' })
})
