/** Signing in with a wallet that the page is left for: the page that comes back, or a new tab, has the session. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, phone: true })
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}
const inWallet = (page: Page, title: string, button: 'Approve' | 'Reject' = 'Approve') =>
  page.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name: button }).click()
const status = (page: Page) => page.evaluate<string>('keybay.session.current.status')
const signInWith = async ({ page }: Pick<Visitor, 'page'>, name: string) => {
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
    .click()
}
const expectTrouble = /\[keybay\] /

it.each(['Phantom', 'Solflare'])('%s: the same tab comes back twice, and is signed in', async name => {
  const person = await sandbox.visit('/', { ...PHONE, expectTrouble })
  const { page } = person
  await signInWith(person, name)
  await inWallet(page, 'Connect')
  await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name }).waitFor()
  expect(await status(page)).toBe('anonymous')
  await signInWith(person, name)
  await inWallet(page, 'Sign message')
  await eventually(() => status(page)).toBe('authenticated')
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(kept).not.toContain('account:wallet-proof')
  await page.reload()
  await eventually(() => status(page)).toBe('authenticated')
})
it('a refusal in the wallet signs nobody in, and the next try works', async () => {
  const person = await sandbox.visit('/', { ...PHONE, expectTrouble })
  const { page } = person
  await signInWith(person, 'Phantom')
  await inWallet(page, 'Connect')
  await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name: 'Phantom' }).waitFor()
  await signInWith(person, 'Phantom')
  await inWallet(page, 'Sign message', 'Reject')
  await page.getByText('Your wallet did not do it.', { exact: true }).waitFor()
  expect(await status(page)).toBe('anonymous')
  await signInWith(person, 'Phantom')
  await inWallet(page, 'Sign message')
  await eventually(() => status(page)).toBe('authenticated')
})
