import { expect, it } from 'vitest'
import { signInByCode } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Tab } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {} })
const { visit } = sandbox
/** Longer than the ten minutes of an access token, in ms. */
const LATER = 11 * 60_000
/** Messages of the browser about an unavailable service, and of the kit about what failed. */
const away = { expectTrouble: /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)|request_failed/ }

/** Makes ten calls at once, as from the console, where the app exposes its kit. */
function callTenTimes({ page }: Tab): Promise<number> {
  return page.evaluate(async () => {
    const { account } = Reflect.get(globalThis, 'keybay')
    const lists = await Promise.all(Array.from({ length: 10 }, () => account.sessions()))
    return lists.length
  })
}

it('refreshes the session once for ten simultaneous calls in each of three tabs', async () => {
  const visitor = await visit()
  await visitor.context.clock.install()
  await visitor.open('/account')
  await signInByCode(sandbox, visitor, 'renewer@example.com')
  const tabs = [visitor, await visitor.newTab('/account'), await visitor.newTab('/account')]
  // No request is pending when the clocks move.
  for (const { account } of tabs) {
    await expect.poll(() => account.rows('Sessions')).toHaveLength(1)
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

it('a sign-in code still works after the API was down when the user entered the code', async () => {
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

it('keeps the session while the API is down, says so, and loads the account when the API is back', async () => {
  const visitor = await visit('/', away)
  const { page, account } = visitor
  await signInByCode(sandbox, visitor, 'steady@example.com')
  await sandbox.accounts.api.kill()
  await page.goto(new URL('/account', page.url()).href)
  await page.getByText('Your account could not be loaded.').waitFor()
  await sandbox.accounts.api.start()
  await page.getByRole('button', { name: 'Try again' }).click()
  await account.card('Profile').getByText('User id').waitFor()
  await expect.poll(() => account.rows('Sessions')).toHaveLength(1)
})
