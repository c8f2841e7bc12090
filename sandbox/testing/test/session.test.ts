import { expect, it } from 'vitest'
import { eventually } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Tab } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {} })
const { visit } = sandbox
/** An access token lives ten minutes, ms. */
const LATER = 11 * 60_000
const AN_HOUR = 60 * 60_000
/** What the browser says of a service that is away, and the kit of what it could not do. */
const away = {
  expectTrouble: /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INTERNET_DISCONNECTED)|request_failed/,
}

/** Ten calls at once, as from the console, where the app offers its kit. */
function callTenTimes({ page }: Tab): Promise<number> {
  return page.evaluate(async () => {
    const { account } = Reflect.get(globalThis, 'keybay')
    const lists = await Promise.all(Array.from({ length: 10 }, () => account.sessions()))
    return lists.length
  })
}

it('renews the session once for ten calls in each of three tabs, all at once', async () => {
  const visitor = await visit()
  await visitor.context.clock.install()
  await visitor.open('/account')
  await signInByCode(sandbox, visitor, 'renewer@example.com')
  const tabs = [visitor, await visitor.newTab('/account'), await visitor.newTab('/account')]
  // Nothing is under way any more when the clocks move.
  for (const { account } of tabs) {
    await eventually(() => account.rows('Sessions')).toHaveLength(1)
    await account.card('Two-step sign-in').getByRole('button', { name: 'Authenticator app' }).waitFor()
  }

  const renewals: string[] = []
  visitor.context.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/auth/refresh')) renewals.push(request.url())
  })
  await sandbox.accounts.api.advanceClock(LATER)
  await visitor.context.clock.fastForward(LATER)
  expect(await Promise.all(tabs.map(callTenTimes))).toEqual([10, 10, 10])
  expect(renewals).toHaveLength(1)
})

it('signs in and stays signed in with a clock that is an hour wrong', async () => {
  // The API refuses the first proof, and tells its time.
  const visitor = await visit('/', { expectTrouble: /status of 401/ })
  const { page, account } = visitor
  await page.clock.install({ time: Date.now() + AN_HOUR })
  await page.reload()
  await signInByCode(sandbox, visitor, 'fast@example.com')
  await account.open()
  await eventually(() => account.rows('Sessions')).toHaveLength(1)
  await page.reload()
  await eventually(() => account.rows('Sessions')).toHaveLength(1)
})

it('loses nothing when the API goes down between the code and its answer', async () => {
  const visitor = await visit('/', away)
  const { page, signInDialog } = visitor
  await signInDialog.open()
  await signInDialog.sendCode('patient@example.com')
  const code = await sandbox.accounts.code('patient@example.com')
  await sandbox.accounts.api.kill()
  await signInDialog.code.fill(code)
  await signInDialog.dialog.getByText('The service does not answer.').waitFor()
  await sandbox.accounts.api.start()
  await signInDialog.code.press('Enter')
  await page.getByRole('button', { name: 'Signed in as patient@example.com' }).waitFor()
})

it('keeps the session while the API is away, says so, and goes on once it is back', async () => {
  const visitor = await visit('/', away)
  const { page, account } = visitor
  await signInByCode(sandbox, visitor, 'steady@example.com')
  await sandbox.accounts.api.kill()
  await page.goto(new URL('/account', page.url()).href)
  await page.getByText('Your account could not be loaded.').waitFor()
  await sandbox.accounts.api.start()
  await page.getByRole('button', { name: 'Try again' }).click()
  await account.card('Profile').getByText('User id').waitFor()
  await eventually(() => account.rows('Sessions')).toHaveLength(1)
})

it('says that the sign-in service does not answer, and offers everything again once it does', async () => {
  const visitor = await visit('/', away)
  const { page, context, signInDialog } = visitor
  // Once everything was loaded: only the services are gone.
  await signInDialog.open()
  await signInDialog.sendCode('online@example.com')
  await signInDialog.dialog.getByRole('button', { name: 'Use another address' }).click()
  await context.setOffline(true)
  await signInDialog.address.fill('offline@example.com')
  await page.keyboard.press('Enter')
  await signInDialog.dialog.getByText('The service does not answer.').first().waitFor()
  await context.setOffline(false)
  await page.keyboard.press('Enter')
  await signInDialog.code.fill(await sandbox.accounts.code('offline@example.com'))
  await page.getByRole('button', { name: 'Signed in as offline@example.com' }).waitFor()
})

it('signs in while storage is blocked, for as long as the page is open', async () => {
  const visitor = await visit('/', {
    initScript: () => {
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      Object.defineProperty(globalThis, 'localStorage', { get: refuse })
      Object.defineProperty(globalThis, 'indexedDB', { get: refuse })
    },
  })
  const { page, account } = visitor
  await signInByCode(sandbox, visitor, 'blocked@example.com')
  await account.open()
  await eventually(() => account.rows('Sessions')).toHaveLength(1)
  await page.reload()
  await page.getByText('Sign in to see your account').waitFor()
})
