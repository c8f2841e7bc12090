/** Tests wallet ceremonies with a hosted backup after an old sign-in: the user signs in or gives a factor first, once. */
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { agreeToRestore, beginRestore, unlock } from './recover.js'
import { attempt, CODE, call, enrolTotp, enter, press, readWallet, takeCode } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()
const MINUTE = 60_000
const SERVICE = { provider: 'dynamic', password: CODE } as const

/** Signs a user in, sixteen minutes ago. */
async function enterEarlier(user?: string) {
  const entered = await enter(world, user)
  await makeOld(entered.page, entered.user)
  return entered
}

/** Lets sixteen minutes pass. From now on the user answers the prompts of the page. @param secret of an authenticator app */
async function makeOld(page: Page, user: string, secret?: string): Promise<void> {
  world.advance(16 * MINUTE)
  await renew(page)
  await page.evaluate(([user, secret]) => void window.host.answerSignIn(user, secret), [user, secret] as const)
}

/** Has the page renew its access token, whose end its own clock does not reach. */
async function renew(page: Page): Promise<void> {
  await page.evaluate(() => window.host.keybay.account.request('/sessions'))
}

function countSignIns(page: Page): Promise<number> {
  return page.evaluate(() => window.host.signedInAgain.length)
}

async function choosePlace(page: Page): Promise<Frame> {
  const frame = await getFrame(page, 'visible')
  await press(frame.getByLabel('The app’s service'))
  await press(frame.getByRole('button', { name: 'Continue' }))
  return frame
}

/** Requests of this page to the API that erased a backup, with their statuses. */
function watchErasures(page: Page): number[] {
  const statuses: number[] = []
  page.on('response', response => {
    if (response.request().method() === 'DELETE' && response.url().includes('/backups/'))
      statuses.push(response.status())
  })
  return statuses
}

it('asks for a new sign-in before a new wallet shows its recovery code, and asks for the place and the code once', async () => {
  const { page } = await enterEarlier()
  const making = attempt(page, 'createWallet', {})
  const frame = await choosePlace(page)
  await frame.locator('pre.code').waitFor()
  expect(await countSignIns(page)).toBe(1)
  world.advance(4 * MINUTE)
  await takeCode(frame)
  expect(await making).toMatchObject({ value: { backup: { provider: 'dynamic', epoch: 0 } } })
  expect(await countSignIns(page)).toBe(1)
  // This browser is known now: another wallet needs no sign-in.
  world.advance(16 * MINUTE)
  await renew(page)
  const another = attempt(page, 'createWallet', {})
  await takeCode(await choosePlace(page))
  expect(await another).toMatchObject({ value: { backup: { provider: 'dynamic' } } })
  expect(await countSignIns(page)).toBe(1)
})

it('verifies a backup after a new sign-in', async () => {
  const { page, user } = await enter(world)
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: SERVICE })
  await makeOld(page, user)
  const verified = await attempt(page, 'verifyBackup', wallet.accountAddress, { backup: SERVICE })
  expect(verified).toMatchObject({ value: { provider: 'dynamic', epoch: 0 } })
  expect(await countSignIns(page)).toBe(1)
})

it('stores a backup again after a new sign-in', async () => {
  const { page, user } = await enter(world)
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: SERVICE })
  await makeOld(page, user)
  const backup = { backup: { provider: 'dynamic' }, password: CODE } as const
  expect(await attempt(page, 'backup', wallet.accountAddress, backup)).toMatchObject({ value: { epoch: 0 } })
  expect(await countSignIns(page)).toBe(1)
})

it.each(['refresh', 'reshare'] as const)(
  'a %s asks for a new sign-in before its recovery code, and erases the old copies',
  async operation => {
    const { page, user } = await enter(world)
    const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: SERVICE })
    const address = wallet.accountAddress
    const erasures = watchErasures(page)
    await makeOld(page, user)
    const backup = { provider: 'dynamic' } as const
    const running =
      operation === 'reshare'
        ? attempt(page, 'reshare', address, { to: 'THREE_OF_FIVE', backup })
        : attempt(page, 'refresh', address, { backup })
    const frame = await getFrame(page, 'visible')
    await frame.locator('pre.code').waitFor()
    expect(await countSignIns(page)).toBe(1)
    world.advance(4 * MINUTE)
    await takeCode(frame)
    expect(await running).toMatchObject({ value: { wallet: { epoch: 1 } } })
    expect(await countSignIns(page)).toBe(1)
    expect(erasures).toEqual([204])
  },
)

it('a second factor in the wallet’s window takes the place of the new sign-in, and erases the old copies', async () => {
  const { page, user } = await enter(world)
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: SERVICE })
  const secret = await enrolTotp(page)
  await makeOld(page, user)
  const erasures = watchErasures(page)
  const refreshing = attempt(page, 'refresh', wallet.accountAddress, { backup: { provider: 'dynamic' } })
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Create new key shares?' }).waitFor()
  await frame.getByLabel('Code').fill(world.nextTotp(secret))
  await press(frame.getByRole('button', { name: 'Confirm', exact: true }))
  await takeCode(frame)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1 } } })
  expect(await countSignIns(page)).toBe(0)
  expect(erasures).toEqual([204])
})

it('a user with a second factor creates a wallet after a new sign-in', async () => {
  const { page, user } = await enter(world)
  await makeOld(page, user, await enrolTotp(page))
  const making = attempt(page, 'createWallet', {})
  await takeCode(await choosePlace(page))
  expect(await making).toMatchObject({ value: { backup: { provider: 'dynamic', epoch: 0 } } })
  expect(await countSignIns(page)).toBe(1)
})

it('a restore asks for a new sign-in before the user agrees to anything', async () => {
  const { page, user } = await enter(world)
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: SERVICE })
  const { page: laptop } = await enterEarlier(user)
  expect(await readWallet(laptop)).toMatchObject({ here: false })
  const restoring = beginRestore(laptop, wallet.accountAddress, 'replace-device', { provider: 'dynamic' })
  const frame = await agreeToRestore(laptop, 'replace-device')
  expect(await countSignIns(laptop)).toBe(1)
  world.advance(4 * MINUTE)
  await unlock(frame, CODE)
  expect(await restoring).toMatchObject({ value: { here: true } })
  expect(await countSignIns(laptop)).toBe(1)
})

it('a user who declines to sign in again has changed nothing', async () => {
  const { page } = await enter(world)
  world.advance(16 * MINUTE)
  await renew(page)
  const making = attempt(page, 'createWallet', {})
  await choosePlace(page)
  await page.waitForFunction(() => window.host.keybay.prompts.list().length === 1)
  await page.evaluate(() => window.host.keybay.prompts.list()[0]?.cancel())
  expect(await making).toMatchObject({ code: 'user_rejected' })
  expect(world.requests).toEqual([])
  expect(await call(page, 'wallets')).toEqual([])
})
