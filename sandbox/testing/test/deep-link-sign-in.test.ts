/** Signing in with a wallet that the page is left for, twice: to connect, and to sign. Whichever page is there goes on. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
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

function inWallet(page: Page, title: string, button: 'Approve' | 'Reject' = 'Approve') {
  return page.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name: button }).click()
}

function status(page: Page) {
  return page.evaluate<string>('keybay.session.current.status')
}

function isSignedIn(page: Page) {
  return eventually(() => status(page)).toBe('authenticated')
}

async function signInWith(page: Page, name: string) {
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
    .click()
}
/** What the page that comes back asks by itself: a phone opens an app only when the user presses. */
function oneMoreStep(page: Page, name: string) {
  return page.getByRole('dialog', { name: `One more step in ${name}` })
}

function goOn(page: Page, name: string) {
  return oneMoreStep(page, name)
    .getByRole('button', { name: `Open ${name}` })
    .click()
}

function kept({ page }: Pick<Visitor, 'page'>) {
  return page.evaluate(() => JSON.stringify({ ...localStorage }))
}
const expectTrouble = /\[keybay\] /

function visit() {
  return sandbox.visit('/', { ...PHONE, expectTrouble })
}

async function answersInNewTab({ context }: Visitor) {
  const page = await context.newPage()
  await page.goto(sandbox.phone.url)
  await page.getByLabel('Answers come').selectOption({ label: 'In a new tab, as on iOS' })
  await page.close()
}

describe.each(['Phantom', 'Solflare'])('%s', name => {
  it('the same tab comes back, asks for the one press that the phone needs, and is signed in', async () => {
    const person = await visit()
    const { page } = person
    await signInWith(page, name)
    await inWallet(page, 'Connect')
    await oneMoreStep(page, name).getByText('Your phone opens an app only when you press.').waitFor()
    expect(await status(page)).toBe('anonymous')
    expect(await findViolations(page)).toEqual([])
    await goOn(page, name)
    await inWallet(page, 'Sign message')
    await isSignedIn(page)
    expect(await kept(person)).not.toContain('account:wallet-')
    await page.reload()
    await isSignedIn(page)
  })
  it('a new tab for each answer, as on iOS: the last one is signed in, and so are those before', async () => {
    const person = await visit()
    const { page: first, context } = person
    await answersInNewTab(person)
    await signInWith(first, name)
    const opening = context.waitForEvent('page')
    await inWallet(first, 'Connect')
    const second = await opening
    await oneMoreStep(second, name).waitFor()
    const openingNext = context.waitForEvent('page')
    await goOn(second, name)
    await inWallet(second, 'Sign message')
    const third = await openingNext
    await isSignedIn(third)
    // Those before are in the wallet now; who goes back there is signed in.
    await first.goto(sandbox.app.url)
    await isSignedIn(first)
    expect(await kept({ page: third })).not.toContain('account:wallet-')
  })
  it('a reload between connecting and signing: the user is connected, and one press signs in', async () => {
    const person = await visit()
    const { page } = person
    await signInWith(page, name)
    await inWallet(page, 'Connect')
    await oneMoreStep(page, name).waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name }).waitFor()
    await signInWith(page, name)
    await inWallet(page, 'Sign message')
    await isSignedIn(page)
  })
})
it('the page that asked is still there: it says where to go on, asks nobody, and is signed in with the other one', async () => {
  const person = await visit()
  const { page: first, context } = person
  // A phone opens the app and leaves the page where it was.
  await first.route(`${sandbox.phone.url}/**`, async route => {
    await route.abort('aborted')
    const wallet = await context.newPage()
    await wallet.goto(route.request().url())
  })
  await answersInNewTab(person)
  const inApp = context.waitForEvent('page')
  await signInWith(first, 'Phantom')
  const app = await inApp
  const opening = context.waitForEvent('page')
  await inWallet(app, 'Connect')
  const second = await opening
  await oneMoreStep(second, 'Phantom').waitFor()
  await first.getByText('Phantom came back to another tab.').waitFor()
  expect(await oneMoreStep(first, 'Phantom').count()).toBe(0)
  expect(await first.getByText('Your wallet did not do it.').count()).toBe(0)
  const openingNext = context.waitForEvent('page')
  await goOn(second, 'Phantom')
  await inWallet(second, 'Sign message')
  await isSignedIn(await openingNext)
  await isSignedIn(first)
  await eventually(() => first.getByRole('dialog').count()).toBe(0)
})
it('a refusal in the wallet, and in the page, signs nobody in; the next try works', async () => {
  const person = await visit()
  const { page } = person
  await signInWith(page, 'Phantom')
  await inWallet(page, 'Connect', 'Reject')
  await page.getByText('Your wallet did not do it.', { exact: true }).waitFor()
  // Who only connects now wants nothing more.
  await person.connectDialog.open()
  await person.connectDialog.choose('Phantom')
  await inWallet(page, 'Connect')
  await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name: 'Phantom' }).waitFor()
  expect(await oneMoreStep(page, 'Phantom').count()).toBe(0)
  await signInWith(page, 'Solflare')
  await inWallet(page, 'Connect')
  await oneMoreStep(page, 'Solflare').waitFor()
  await page.keyboard.press('Escape')
  await oneMoreStep(page, 'Solflare').waitFor({ state: 'hidden' })
  expect(await status(page)).toBe('anonymous')
  await signInWith(page, 'Phantom')
  await inWallet(page, 'Sign message', 'Reject')
  await page.getByText('Your wallet did not do it.', { exact: true }).waitFor()
  expect(await status(page)).toBe('anonymous')
  await signInWith(page, 'Phantom')
  await inWallet(page, 'Sign message')
  await isSignedIn(page)
})
