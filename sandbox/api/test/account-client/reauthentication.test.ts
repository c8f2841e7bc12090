/** The kit asks the user to sign in again when the API requires it, then sends the request again. */
import { afterAll, beforeEach, expect, it } from 'vitest'
import { fresh, openPage, openSignedIn, type Page, question, startWorld, until } from './support.js'
import { testWallet } from './wallet.js'

const world = await startWorld()
afterAll(world.stop)
beforeEach(fresh)

function age(minutes = 6): void {
  world.api.clock.advance(minutes * 60_000)
}

async function chooseEmail(page: Page, email: string, before?: { readonly promptId: string }) {
  const choice = await question(page, 'choice', before)
  const option = choice.options.find(({ label }) => label === `Email: ${email}`)
  choice.answer(option?.id ?? '')
  const code = await question(page, 'one-time-code')
  code.answer(await code.submit(await world.codeFor(email)))
  return code
}

it('asks the user to sign in again, keeps the session, and finishes the change', async () => {
  const page = await openSignedIn(world, 'stale@example.com')
  const state = page.session.current
  const elsewhere = await world.signedIn('stale@example.com')
  age()
  const ending = page.account.endOtherSessions()
  const choice = await question(page, 'choice')
  expect(choice).toMatchObject({ title: 'Sign in again to continue', options: [{ label: 'Email: stale@example.com' }] })
  await chooseEmail(page, 'stale@example.com')
  expect(await ending).toBe(1)
  expect((await elsewhere.call('/users/me')).status).toBe(401)
  expect(page.session.current).toEqual(state)
  // The sign-in counts for the next changes too.
  expect(await page.account.endOtherSessions()).toBe(0)
  expect(page.prompts.list()).toEqual([])
})
it('links a credential after the user has signed in again', async () => {
  const page = await openSignedIn(world, 'stale-link@example.com')
  age()
  const linking = page.account.signIn('email', 'added@example.com')
  const link = await question(page, 'choice')
  link.answer('add')
  const before = await chooseEmail(page, 'stale-link@example.com', link)
  const code = await question(page, 'one-time-code', before)
  code.answer(await code.submit(await world.codeFor('added@example.com')))
  await linking
  expect(page.account.user.current.user?.credentials.map(({ email }) => email)).toEqual([
    'stale-link@example.com',
    'added@example.com',
  ])
})
it('signs in again with a connected wallet, by one signature', async () => {
  const wallet = testWallet()
  const page = openPage(world, { wallets: [wallet.connector] })
  await page.account.signIn('test-wallet')
  age()
  const ending = page.account.endOtherSessions()
  const choice = await question(page, 'choice')
  choice.answer(choice.options[0]?.id ?? '')
  expect(await ending).toBe(0)
})
it('does nothing when the user closes the question: user_rejected', async () => {
  const page = await openSignedIn(world, 'closes@example.com')
  age()
  const deleting = page.account.deleteUser()
  const choice = await question(page, 'choice')
  choice.cancel()
  await expect(deleting).rejects.toMatchObject({ code: 'user_rejected' })
  expect(page.session.current.status).toBe('authenticated')
})
it('says what to do when the page offers none of the user’s methods: reauthentication_required', async () => {
  const wallet = testWallet()
  const page = openPage(world, { wallets: [wallet.connector] })
  await page.account.signIn('test-wallet')
  const other = openPage(world)
  age()
  await expect(other.account.endOtherSessions()).rejects.toMatchObject({
    code: 'reauthentication_required',
    message: 'This needs a sign-in from the last 5 minutes. Sign in again, then retry.',
  })
})
it('exports the user’s data after the user has signed in again', async () => {
  const page = await openSignedIn(world, 'takes-out@example.com')
  age()
  const exporting = page.account.exportData()
  await chooseEmail(page, 'takes-out@example.com')
  const { api, exportedAt } = await exporting
  expect(exportedAt).toBeGreaterThan(0)
  expect(JSON.stringify(api.credentials)).toContain('takes-out@example.com')
})
it('signs out everywhere: the other tab shows it, another device’s session and this one’s tokens are over', async () => {
  const page = await openSignedIn(world, 'leaves@example.com')
  const elsewhere = await world.signedIn('leaves@example.com')
  const tab = openPage(world)
  expect((await tab.account.user.refresh())?.email).toBe('leaves@example.com')
  const bearer = await page.session.bearer()
  await page.account.signOutEverywhere()
  await until(tab, () => tab.session.current.status === 'anonymous')
  expect(page.session.current).toEqual({ status: 'anonymous' })
  expect((await elsewhere.call('/users/me')).body.code).toBe('session_expired')
  expect((await world.call('/users/me', { token: bearer ?? '' })).body.code).toBe('session_expired')
})
