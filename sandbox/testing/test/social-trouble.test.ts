/** Tests failures of social sign-in: each ends in a sentence that says what happened, and the next try works. */
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { setUpSandbox } from '../src/sandbox.js'
import { choose, openWindow, press, signedIn, VISIT } from '../src/social.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, social: true })
const { visit } = sandbox
/** The browser logs refused requests, and the kit logs errors. */
const trouble = { expectTrouble: /status of (400|401|403|503)|^\[keybay\] connect social:/ }

function says({ signInDialog: { dialog } }: Visitor, text: string) {
  return dialog.getByText(text).waitFor({ timeout: VISIT })
}

function tryAgain(visitor: Visitor) {
  return visitor.signInDialog.dialog.getByRole('button', { name: 'Try again' }).click({ noWaitAfter: true })
}

/** Tries again, and waits until the window shows the accounts. */
async function openAgain(visitor: Visitor) {
  const opened = visitor.page.waitForEvent('popup')
  await tryAgain(visitor)
  const popup = await opened
  await popup.getByRole('list', { name: 'Accounts' }).waitFor({ timeout: VISIT })
  return popup
}

function blockNextWindow({ page }: Visitor) {
  return page.evaluate(() => {
    const open = window.open.bind(window)
    window.open = () => {
      window.open = open
      return null
    }
  })
}

it('[S8.3] [S4.13] [S5.11] [S5.12] [S5.13] [S5.14] explains a window that is blocked, refused, closed, forged or late, and works on the next try', async () => {
  const visitor = await visit('/', trouble)
  const { faults } = sandbox.identity
  await visitor.signInDialog.open()
  await blockNextWindow(visitor)
  await press(visitor, 'github')
  await says(visitor, 'Please allow popups and try again.')

  const refused = await openAgain(visitor)
  await refused.getByRole('button', { name: 'Cancel' }).click({ noWaitAfter: true })
  await says(visitor, 'You cancelled at the provider.')

  const closed = await openAgain(visitor)
  await says(visitor, 'Go on in the window of GitHub. It closes by itself.')
  await closed.close()
  await says(visitor, 'You declined, or closed the window.')

  const forged = await openAgain(visitor)
  await forged.evaluate(() => {
    const message = { type: 'authorization_response', provider: 'github', code: 'x', state: 'y', params: {} }
    window.opener.postMessage(message, '*')
  })
  await says(visitor, 'The message did not come from the origin of the redirect URL.')

  faults.set('github', { returns: 'state' })
  await choose(await openAgain(visitor))
  await says(visitor, 'Failed to connect github social account: Invalid random state.')
  faults.set('github', { returns: 'no_code' })
  await choose(await openAgain(visitor))
  await says(visitor, 'Failed to connect github social account: no authorization code.')
  faults.clear()

  const late = await openAgain(visitor)
  await sandbox.accounts.api.advanceClock(11 * 60_000)
  await choose(late)
  await says(visitor, 'Connecting github account session timeout.')
  await sandbox.accounts.api.resetClock()

  await choose(await openAgain(visitor))
  await signedIn(visitor)
})

it('signs in when the provider’s page severs the popup from its opener (COOP) and the device’s clock is hours off', async () => {
  const visitor = await visit('/', {
    ...trouble,
    initScript: () => {
      const now = Date.now.bind(Date)
      Date.now = () => now() + 3 * 3_600_000
    },
  })
  const { url, internalUrl } = sandbox.identity
  await visitor.context.route(/\/github\/login\/oauth\/authorize/, async route => {
    // Node cannot resolve the public name.
    const response = await fetch(route.request().url().replace(url, internalUrl))
    const headers = { ...Object.fromEntries(response.headers), 'cross-origin-opener-policy': 'same-origin' }
    await route.fulfill({ status: response.status, headers, body: await response.text() })
  })
  // Under automation every page has the focus.
  await visitor.page.evaluate(() => {
    document.hasFocus = () => false
  })
  await visitor.signInDialog.open()
  const popup = await openWindow(visitor, 'github')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  expect(await popup.evaluate(() => window.opener === null)).toBe(true)
  await choose(popup)
  await signedIn(visitor)
})

it('the popup says that the app’s page was reloaded, deletes the flow, and the next sign-in works', async () => {
  const visitor = await visit('/')
  await visitor.signInDialog.open()
  const popup = await openWindow(visitor, 'google')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  await visitor.page.reload()
  await choose(popup)
  await popup.getByRole('heading', { name: 'You are not signed in' }).waitFor({ timeout: VISIT })
  expect(await findViolations(popup)).toEqual([])
  expect(new URL(popup.url()).search).toBe('')
  await popup.getByRole('link', { name: 'Open the app, and sign in again' }).click()
  await popup.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  const records = await popup.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('keybay:social')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const count = database.transaction('flows').objectStore('flows').count()
    await new Promise(resolve => {
      count.onsuccess = resolve
    })
    database.close()
    return count.result
  })
  expect(records).toBe(0)
  await visitor.signInDialog.open()
  await choose(await openWindow(visitor, 'google'))
  await signedIn(visitor)
})

it('[S2.5] a redirect sign-in continues after a reload at the provider, and in another tab', async () => {
  const visitor = await visit('/receive?social-mode=redirect')
  const { page } = visitor
  await visitor.signInDialog.open()
  await press(visitor, 'github')
  const accounts = page.getByRole('list', { name: 'Accounts' })
  await accounts.waitFor({ timeout: VISIT })
  await page.reload()
  await accounts.waitFor()
  const atProvider = page.url()
  const other = await visitor.newTab()
  await page.close()
  await other.page.goto(atProvider)
  await choose(other.page)
  await signedIn(other)
  expect(new URL(other.page.url()).pathname + new URL(other.page.url()).search).toBe('/receive?social-mode=redirect')
})

it('[S2.6] [S8.3] Failed to load Apple SDK: Apple’s script does not load, and then it does', async () => {
  sandbox.identity.faults.set('apple', { down: true })
  const visitor = await visit('/', trouble)
  const { page } = visitor
  await visitor.signInDialog.open()
  await press(visitor, 'apple')
  await says(visitor, 'Failed to load Apple SDK.')
  sandbox.identity.faults.clear()
  const requested = page.waitForRequest(request => request.url().endsWith('/appleid.auth.js'))
  await tryAgain(visitor)
  await requested
  await choose(page)
  await signedIn(visitor)
})
