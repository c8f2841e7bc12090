/**
 * Tests a custody wallet in an environment that requires a second factor: custody does nothing with the passkey alone.
 */
import { expect, it } from 'vitest'
import { addAuthenticatorApp, getCodes } from '../src/flows-accounts.js'
import { createCustodyWallet, custodyVisitor, openCustody, takeCustodyWallet } from '../src/flows-custody.js'
import { agreeToSign, signedMessage, signMessage } from '../src/flows-waas.js'
import { typeInto } from '../src/keyboard.js'
import { setUpSandbox } from '../src/sandbox.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({
  accounts: { environment: { custody: { enabled: true, secondFactor: true } } },
  custody: true,
})

it('[S6.3] a custody wallet signs and exports with passkey and code, not without; says when the code is declined', async () => {
  // The browser logs that the API requires more.
  const { visitor } = await custodyVisitor(sandbox, 'twice@example.com', { expectTrouble: /status of 40[13]/ })
  const { page, account, signInDialog } = visitor
  const { dialog, code } = signInDialog
  const address = await createCustodyWallet(visitor)
  await takeCustodyWallet(visitor)
  // A user without a second factor signs as before.
  await signMessage(visitor, 'Before')
  await account.open()
  const { secret } = await addAuthenticatorApp(visitor)
  const nextCode = getCodes(secret, [sandbox.accounts.api, sandbox.custody])

  await visitor.go('Sign')
  const sign = page.getByRole('button', { name: 'Sign message' })
  await page.getByLabel('Message', { exact: true }).first().fill('With both')
  await sign.click()
  await agreeToSign(visitor, 'message')
  await dialog.getByText('Your account asks for a second step before your wallet signs.').waitFor()
  const right = await nextCode()
  await code.fill(right === '000000' ? '111111' : '000000')
  await dialog.getByText('The code is invalid or expired.').waitFor()
  await expect.poll(() => page.getByText('The signature is valid.').count()).toBe(0)
  await typeInto(code, right)
  await signedMessage(visitor, 'With both')

  await sign.click()
  await agreeToSign(visitor, 'message')
  await code.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Not signed.').waitFor()
  await openCustody(visitor)
  const activity = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
  await activity.filter({ hasText: 'Sign raw payload' }).getByText('Consensus needed').waitFor()

  await page.getByRole('link', { name: `Export ${address.slice(0, 6)}…${address.slice(-6)}` }).click()
  const show = page.getByRole('button', { name: 'Show my key' })
  await show.click()
  await dialog.getByText('Your account asks for a second step before a key leaves it.').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('iframe[title="wallet storage"]').waitFor({ state: 'detached' })
  await show.click()
  await code.fill(await nextCode())
  await walletFrame(page).screen.getByRole('heading', { name: 'Your private key' }).waitFor()
  await walletFrame(page).press('Done')
})
