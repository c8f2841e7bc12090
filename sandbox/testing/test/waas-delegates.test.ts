import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { signInByCode } from '../src/flows-accounts.js'
import { anHourLater, fillSchedule, fund, openDelegates, readBalance, schedule } from '../src/flows-delegates.js'
import { createWallet } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens, NARROW, WIDE } from '../src/screens.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

function friend() {
  return Keypair.generate().publicKey.toBase58()
}
const HALF = LAMPORTS_PER_SOL / 2

it('a scheduler pays without the user until the user revokes it', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'schedule@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await fund(sandbox, address, 5)
  await openDelegates(visitor)
  const { inspect, problems } = inspectScreens(page, [WIDE])
  await inspect('delegates none')

  const to = friend()
  await schedule(visitor, { to, amount: '0.5', times: 3 })
  const item = page.getByRole('region', { name: 'Sandbox scheduler' })
  await item.getByText('1 of 3 paid').waitFor()
  expect(await readBalance(sandbox, to)).toBe(HALF)
  const rules = item.getByRole('list', { name: 'Rules' })
  await rules.getByText(`It pays only ${to}.`).waitFor()
  await rules.getByText('At most 0.500005 SOL at once.').waitFor()
  await inspect('delegates one')

  await page.goto('about:blank')
  await anHourLater(sandbox)
  await expect.poll(() => readBalance(sandbox, to)).toBe(2 * HALF)

  await visitor.open(`/wallets/${address}/delegates`)
  await item.getByText('2 of 3 paid').waitFor()
  await item.getByRole('button', { name: /^Revoke Sandbox scheduler/ }).click()
  await item.getByText('It can never sign for this wallet again.').waitFor()
  await item.getByRole('button', { name: /^Revoke Sandbox scheduler/ }).click()
  await walletFrame(page).agree('Revoke “Sandbox scheduler”?', 'Revoke')
  await item.getByText('Revoked', { exact: true }).waitFor()
  // At once, although the server learns of it only with the next payment.
  await item.getByText('It has stopped.').waitFor()
  await item.getByText('You revoked it.').waitFor()
  await expect.poll(() => item.getByText('The next one').count()).toBe(0)
  await anHourLater(sandbox)
  await item.getByText('Not paid').waitFor()
  await inspect('delegates revoked')
  expect(await readBalance(sandbox, to)).toBe(2 * HALF)
  await item.getByRole('button', { name: /^Forget/ }).click()
  await item.getByText('This app’s scheduler has nothing planned by it.').waitFor()
  expect(problems).toEqual([])
})

it('a scheduler cannot pay an address that the user did not agree to, even if its server tries', async () => {
  const visitor = await sandbox.visit('/', { colorScheme: 'dark', viewport: { width: 320, height: 800 } })
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'one-payee@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await fund(sandbox, address, 5)
  await openDelegates(visitor)

  await fillSchedule(visitor, { to: 'nonsense', amount: '', times: 0 })
  await page.getByText('Enter a whole number from 1 to 365.').waitFor()
  const { inspect, problems } = inspectScreens(page, [NARROW])
  await inspect('delegates wrong')
  await page.getByLabel('To', { exact: true }).fill('')

  // The server gets another address than the one that the user agreed to.
  const thief = friend()
  await page.route('**/scheduler', (route, request) =>
    request.method() === 'POST'
      ? route.continue({ postData: JSON.stringify({ ...request.postDataJSON(), to: thief }) })
      : route.continue(),
  )
  await schedule(visitor, { to: friend(), amount: '0.5', times: 2 })
  const item = page.getByRole('region', { name: 'Sandbox scheduler' })
  await item.getByText('It has stopped.').waitFor()
  await item.getByText('The service refused a payment because it was not what you had agreed to.').waitFor()
  expect(await readBalance(sandbox, thief)).toBe(0)
  await inspect('delegates refused')
  expect(problems).toEqual([])
})

it('schedules nothing after a refusal or under another name, and says when the scheduler does not answer', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: /Failed to load resource/ })
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'declined@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await openDelegates(visitor)
  await fillSchedule(visitor, { to: friend(), amount: '0.5', times: 2 })
  await walletFrame(page).cancel()
  await page.getByRole('button', { name: 'Schedule', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Sandbox scheduler' }).count()).toBe(0)
  // The relay gives the server another name than the one that the page has signed for.
  await page.route('**/sdk/local/delegates', async route => {
    const answer = await route.fetch()
    const { delegates } = await answer.json()
    await route.fulfill({
      response: answer,
      json: { delegates: delegates.map((delegate: object) => ({ ...delegate, name: 'Your bank' })) },
    })
  })
  await page.getByRole('button', { name: 'Schedule', exact: true }).press('Enter')
  await page.getByText('Nothing was scheduled.').waitFor()
  await page.getByText('No server with this key and name is listed as a delegate').waitFor()
  await page.unroute('**/sdk/local/delegates')
  await page.route('**/scheduler', route => route.abort())
  await visitor.open(`/wallets/${address}/delegates`)
  await page.getByText('The scheduler does not answer.').waitFor()
  const { inspect, problems } = inspectScreens(page, [WIDE])
  await inspect('delegates no scheduler')
  expect(problems).toEqual([])
  // The page retries by itself too, so the button may go once the scheduler answers.
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.unroute('**/scheduler')
  await page.getByLabel('To', { exact: true }).waitFor()
  // An order without a response is sent again, and stays one order.
  let isLost = false
  await page.route('**/scheduler', (route, request) => {
    if (isLost || request.method() !== 'POST') return route.continue()
    isLost = true
    return route.abort()
  })
  await schedule(visitor, { to: friend(), amount: '0.5', times: 2 })
  await page.getByRole('region', { name: 'Sandbox scheduler' }).waitFor()
  expect([isLost, await page.getByRole('region', { name: 'Sandbox scheduler' }).count()]).toEqual([true, 1])
})
