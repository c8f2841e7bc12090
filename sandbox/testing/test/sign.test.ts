import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'

const { visit } = setUpSandbox()

it('[S1.15] [S8.3] says that the user refused to sign, lets the user try again, and verifies the signature in the page', async () => {
  const visitor = await visit()
  const { page, wallet } = visitor
  await visitor.connect()
  await visitor.go('Sign')
  await page.getByLabel('Message', { exact: true }).first().fill('Grüße from the bay')
  const sign = page.getByRole('button', { name: 'Sign message' })
  await sign.click()
  await wallet.request('Sign message').getByText('Grüße from the bay').waitFor()
  await wallet.reject('Sign message')
  await page.getByText('Not signed.').waitFor()
  await sign.click()
  await wallet.approve('Sign message')
  await page.getByText('The signature is valid.').waitFor()
  await expect.poll(() => page.getByText('Not signed.').count()).toBe(0)

  // The signature does not match a changed message.
  const verify = page.getByRole('region', { name: 'Verify' })
  await verify.getByLabel('Message').fill('Grüße from the boy')
  await page.getByText('The signature is not valid.').waitFor()
})
