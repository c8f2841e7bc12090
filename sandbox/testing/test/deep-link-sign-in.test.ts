/**
 * Tests sign-in with a wallet that requires leaving the page twice: to connect and to sign. Any open page of the app
 * continues.
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { IN_NEW_TAB, inWallet, PHONE, setAnswers } from '../src/flows-deep-link.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, phone: true })

function readStatus(page: Page) {
  return page.evaluate<string>('keybay.session.current.status')
}

function waitForSignIn(page: Page) {
  return expect.poll(() => readStatus(page)).toBe('authenticated')
}

async function signInWith(page: Page, name: string) {
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
    .click()
}
/** Returns the dialog of the page that comes back: a phone opens an app only when the user presses. */
function getNextStep(page: Page, name: string) {
  return page.getByRole('dialog', { name: `One more step in ${name}` })
}

function openWallet(page: Page, name: string) {
  return getNextStep(page, name)
    .getByRole('button', { name: `Open ${name}` })
    .click()
}

function readStorage({ page }: Pick<Visitor, 'page'>) {
  return page.evaluate(() => JSON.stringify({ ...localStorage }))
}
const expectTrouble = /\[keybay\] /

function visit() {
  return sandbox.visit('/', { ...PHONE, expectTrouble })
}

it('signs in with Phantom in the same tab after one more press', async () => {
  const visitor = await visit()
  const { page } = visitor
  await signInWith(page, 'Phantom')
  await inWallet(page, 'Connect')
  await getNextStep(page, 'Phantom').getByText('Open it again and sign a message').waitFor()
  expect(await readStatus(page)).toBe('anonymous')
  expect(await findViolations(page)).toEqual([])
  await openWallet(page, 'Phantom')
  await inWallet(page, 'Sign message')
  await waitForSignIn(page)
  await expect.poll(() => readStorage(visitor)).not.toContain('account:wallet-')
  await page.reload()
  await waitForSignIn(page)
})
it('signs in with Solflare in every tab when each answer opens a new one, as on iOS', async () => {
  const visitor = await visit()
  const { page: first, context } = visitor
  await setAnswers(visitor, sandbox.phone.url, IN_NEW_TAB)
  await signInWith(first, 'Solflare')
  const opening = context.waitForEvent('page')
  await inWallet(first, 'Connect')
  const second = await opening
  await getNextStep(second, 'Solflare').waitFor()
  const openingNext = context.waitForEvent('page')
  await openWallet(second, 'Solflare')
  await inWallet(second, 'Sign message')
  const third = await openingNext
  await waitForSignIn(third)
  // The older tabs show the wallet now. Returning to the app signs them in too.
  await first.goto(sandbox.app.url)
  await waitForSignIn(first)
  await expect.poll(() => readStorage({ page: third })).not.toContain('account:wallet-')
})
it('the requesting page names the tab that continues the deep-link sign-in, and both tabs are signed in', async () => {
  const visitor = await visit()
  const { page: first, context } = visitor
  // A phone opens the app and leaves the page open.
  await first.route(`${sandbox.phone.url}/**`, async route => {
    await route.abort('aborted')
    const wallet = await context.newPage()
    await wallet.goto(route.request().url())
  })
  await setAnswers(visitor, sandbox.phone.url, IN_NEW_TAB)
  const inApp = context.waitForEvent('page')
  await signInWith(first, 'Phantom')
  const app = await inApp
  const opening = context.waitForEvent('page')
  await inWallet(app, 'Connect')
  const second = await opening
  await getNextStep(second, 'Phantom').waitFor()
  await first.getByText('Phantom came back to another tab.').waitFor()
  await expect.poll(() => getNextStep(first, 'Phantom').count()).toBe(0)
  await expect.poll(() => first.getByText('Your wallet did not do it.').count()).toBe(0)
  const openingNext = context.waitForEvent('page')
  await openWallet(second, 'Phantom')
  await inWallet(second, 'Sign message')
  await waitForSignIn(await openingNext)
  await waitForSignIn(first)
  await expect.poll(() => first.getByRole('dialog').count()).toBe(0)
})
it('does not sign in after a refusal in the wallet or in the page, and the next sign-in works', async () => {
  const visitor = await visit()
  const { page } = visitor
  await signInWith(page, 'Phantom')
  await inWallet(page, 'Connect', 'Reject')
  await page.getByText('Your wallet did not do it.', { exact: true }).waitFor()
  // Connecting alone requests no signature.
  await visitor.connectDialog.open()
  await visitor.connectDialog.choose('Phantom')
  await inWallet(page, 'Connect')
  await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name: 'Phantom' }).waitFor()
  await expect.poll(() => getNextStep(page, 'Phantom').count()).toBe(0)
  await signInWith(page, 'Solflare')
  await inWallet(page, 'Connect')
  await getNextStep(page, 'Solflare').waitFor()
  await page.keyboard.press('Escape')
  await getNextStep(page, 'Solflare').waitFor({ state: 'hidden' })
  expect(await readStatus(page)).toBe('anonymous')
  await signInWith(page, 'Phantom')
  await inWallet(page, 'Sign message', 'Reject')
  await page.getByText('Your wallet did not do it.', { exact: true }).waitFor()
  expect(await readStatus(page)).toBe('anonymous')
  await signInWith(page, 'Phantom')
  await inWallet(page, 'Sign message')
  await waitForSignIn(page)
})
