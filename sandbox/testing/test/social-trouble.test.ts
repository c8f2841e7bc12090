/** Bad days of social sign-in: each ends in a sentence that says what happened, and the next try works. */
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { setUpSandbox } from '../src/sandbox.js'
import { choose, openWindow, press, signedIn, VISIT } from '../src/social.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, social: true })
const { visit } = sandbox
/** The browser itself says when a server refuses, and the kit what went wrong. */
const trouble = { expectTrouble: /status of (400|401|403|503)|^\[keybay\] connect social:/ }

function says({ signInDialog: { dialog } }: Visitor, text: string) {
  return dialog.getByText(text).waitFor({ timeout: VISIT })
}

function tryAgain(visitor: Visitor) {
  return visitor.signInDialog.dialog.getByRole('button', { name: 'Try again' }).click({ noWaitAfter: true })
}
/** The same provider once more, from the sentence that says what happened. */
async function worksNow(visitor: Visitor) {
  const opened = visitor.page.waitForEvent('popup')
  await tryAgain(visitor)
  await choose(await opened)
  await signedIn(visitor)
}

async function begin(visitor: Visitor, provider: 'google' | 'github' | 'telegram') {
  await visitor.signInDialog.open()
  return openWindow(visitor, provider)
}

it('[S5.13] the user says no at the provider', async () => {
  const visitor = await visit()
  const popup = await begin(visitor, 'google')
  await popup.getByRole('button', { name: 'Cancel' }).click({ noWaitAfter: true })
  await says(visitor, 'Failed to connect google social account: access_denied.')
  await worksNow(visitor)
})

it('[S4.13] the user closes the window', async () => {
  const visitor = await visit()
  const popup = await begin(visitor, 'google')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  await says(visitor, 'Go on in the window of Google. It closes by itself.')
  await popup.close()
  await says(visitor, 'You declined, or closed the window.')
  await worksNow(visitor)
})

it('[S8.3] Please allow popups and try again.: the browser opens no window at first', async () => {
  const visitor = await visit('/', {
    ...trouble,
    initScript: () => {
      const open = window.open.bind(window)
      let blocked = true
      window.open = (...args) => {
        if (!blocked) return open(...args)
        blocked = false
        return null
      }
    },
  })
  await visitor.signInDialog.open()
  await press(visitor, 'google')
  await says(visitor, 'Please allow popups and try again.')
  await worksNow(visitor)
})

it('the user cancels in the app: the window closes, and another provider is at hand', async () => {
  const visitor = await visit()
  const popup = await begin(visitor, 'google')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  const closed = popup.waitForEvent('close')
  await visitor.signInDialog.dialog.getByRole('button', { name: 'Cancel' }).click()
  await closed
  await visitor.signInDialog.dialog.getByRole('button', { name: 'Choose another way' }).click()
  await choose(await openWindow(visitor, 'github'))
  await signedIn(visitor)
})

it('a slow provider is waited for', async () => {
  sandbox.identity.faults.set('github', { slow: 1500 })
  const visitor = await visit()
  await choose(await begin(visitor, 'github'))
  await signedIn(visitor)
})

it('[S5.11] somebody changed the state on the way, in the window', async () => {
  const visitor = await visit('/', trouble)
  sandbox.identity.faults.set('github', { returns: 'state' })
  await choose(await begin(visitor, 'github'))
  await says(visitor, 'Failed to connect github social account: Invalid random state.')
  sandbox.identity.faults.clear()
  await worksNow(visitor)
})

it('[S5.11] somebody changed the state on the way, with the page left', async () => {
  const visitor = await visit('/?social-mode=redirect', trouble)
  const { page } = visitor
  sandbox.identity.faults.set('github', { returns: 'state' })
  await visitor.signInDialog.open()
  await press(visitor, 'github')
  await choose(page)
  await page.getByText('Failed to connect github social account: Invalid random state').first().waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
})

it('[S5.14] the provider forgets the code', async () => {
  const visitor = await visit('/', trouble)
  sandbox.identity.faults.set('github', { returns: 'no_code' })
  await choose(await begin(visitor, 'github'))
  await says(visitor, 'Failed to connect github social account: no authorization code.')
})

it('[S5.12] a page of another origin says that it is all done', async () => {
  const visitor = await visit('/', trouble)
  const popup = await begin(visitor, 'google')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  await popup.evaluate(() => {
    const message = { type: 'authorization_response', provider: 'google', code: 'x', state: 'y', params: {} }
    window.opener.postMessage(message, '*')
  })
  await says(visitor, 'The message did not come from the origin of the redirect URL.')
  await worksNow(visitor)
})

it('the provider’s page cuts the window off from the app (COOP), and the sign-in arrives all the same', async () => {
  const visitor = await visit()
  const { url, internalUrl } = sandbox.identity
  await visitor.context.route(/\/github\/login\/oauth\/authorize/, async route => {
    // By the name that Node can resolve.
    const response = await fetch(route.request().url().replace(url, internalUrl))
    const headers = { ...Object.fromEntries(response.headers), 'cross-origin-opener-policy': 'same-origin' }
    await route.fulfill({ status: response.status, headers, body: await response.text() })
  })
  // Under automation every page says that it has the focus.
  await visitor.page.evaluate(() => {
    document.hasFocus = () => false
  })
  const popup = await begin(visitor, 'github')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  expect(await popup.evaluate(() => window.opener === null)).toBe(true)
  await choose(popup)
  await signedIn(visitor)
})

it.each(['closed', 'loaded anew'] as const)(
  'the tab with the app is %s meanwhile: the window says so, nothing is half done, and the next try works',
  async how => {
    const visitor = await visit('/')
    const popup = await begin(visitor, 'google')
    await popup.getByRole('list', { name: 'Accounts' }).waitFor()
    await (how === 'closed' ? visitor.page.close() : visitor.page.reload())
    await choose(popup)
    await popup.getByRole('heading', { name: 'You are not signed in' }).waitFor({ timeout: VISIT })
    expect(await findViolations(popup)).toEqual([])
    expect(new URL(popup.url()).search).toBe('')
    // From there, or from the app’s own tab, it is tried again.
    await popup.getByRole('link', { name: 'Open the app, and sign in again' }).click()
    await popup.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
    const kept = await popup.evaluate(async () => {
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
    expect(kept).toBe(0)
    const tab = how === 'closed' ? await visitor.newTab() : visitor
    await tab.signInDialog.open()
    await choose(await openWindow(tab, 'google'))
    await signedIn(tab)
  },
)

it('[S2.5] a page that was left goes on after a reload at the provider, and in another tab', async () => {
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

it('the answer of a provider serves once', async () => {
  const visitor = await visit('/?social-mode=redirect', trouble)
  const { page, account } = visitor
  const returns: string[] = []
  page.on('request', request => {
    if (request.isNavigationRequest() && request.url().includes('/auth/social/')) returns.push(request.url())
  })
  await visitor.signInDialog.open()
  await press(visitor, 'google')
  await choose(page)
  await signedIn(visitor)
  await account.signOut()
  expect(returns[0]).toMatch(/code=/)
  await page.goto(returns[0] ?? '')
  await page.getByText('Nobody asked for this answer').first().waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
})

it('[S8.3] Connecting google account session timeout.: the user takes longer than the flow lives', async () => {
  const visitor = await visit('/', trouble)
  const popup = await begin(visitor, 'google')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  await sandbox.accounts.api.advanceClock(11 * 60_000)
  await choose(popup)
  await says(visitor, 'Connecting google account session timeout.')
  await sandbox.accounts.api.resetClock()
  await worksNow(visitor)
})

it('the provider is down', async () => {
  const visitor = await visit('/', trouble)
  const popup = await begin(visitor, 'github')
  await popup.getByRole('list', { name: 'Accounts' }).waitFor()
  // Its page was there; when the API asks about the code, its servers are not.
  await visitor.page.route(/\/social\/github\/exchange$/, async route => {
    sandbox.identity.faults.set('github', { down: true })
    await route.continue()
  })
  await choose(popup)
  await says(visitor, 'Sign-in failed.')
  sandbox.identity.faults.clear()
  await visitor.page.unrouteAll()
  await worksNow(visitor)
})

it('[S2.6] [S8.3] Failed to load Apple SDK: Apple’s script does not load, and then it does', async () => {
  sandbox.identity.faults.set('apple', { down: true })
  const visitor = await visit('/', trouble)
  const { page } = visitor
  await visitor.signInDialog.open()
  await press(visitor, 'apple')
  await says(visitor, 'Failed to load Apple SDK.')
  sandbox.identity.faults.clear()
  const asked = page.waitForRequest(request => request.url().endsWith('/appleid.auth.js'))
  await tryAgain(visitor)
  await asked
  await choose(page)
  await signedIn(visitor)
})

it('the clock of this device is wrong by hours', async () => {
  const visitor = await visit('/', {
    ...trouble,
    initScript: () => {
      const now = Date.now.bind(Date)
      Date.now = () => now() + 3 * 3_600_000
    },
  })
  await choose(await begin(visitor, 'google'))
  await signedIn(visitor)
})

it('the clock of the provider is wrong by a day', async () => {
  const visitor = await visit('/', trouble)
  sandbox.identity.faults.set('telegram', { skew: -2 * 86_400 })
  await choose(await begin(visitor, 'telegram'))
  await says(visitor, 'The social account could not be verified.')
  sandbox.identity.faults.clear()
  await worksNow(visitor)
})
