/** A hostile page sends a backup to an attacker's drive: the frame asks the user, and keeps to the account of before. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { answer, getReturnUrl, nextWindow } from './drives.js'
import { agree, attempt, call, createWaiting, enter, letPageOpen, password, press } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
const CONFIRM = 'Use this account'

/** Makes the page open the return page with the attacker's access in place of the provider's next window. */
async function stealNextWindow(page: Page, provider: 'googleDrive' | 'icloud'): Promise<void> {
  const returned = await getReturnUrl(world, page, provider, 'Cleo Çelik')
  await page.evaluate(returned => {
    const { open } = window
    window.open = (url, ...rest) => {
      window.open = open
      const asked = new URL(String(url))
      const state = asked.searchParams.get('state') ?? new URLSearchParams(asked.hash.slice(1)).get('keep')
      const forged = new URL(returned)
      // The page knows the state, because it opens the window.
      const fragment = new URLSearchParams(forged.hash.slice(1))
      if (state) fragment.set('state', state)
      forged.hash = fragment.toString()
      return open(forged, ...rest)
    }
  }, returned)
}

function backUp(page: Page, address: string, provider: 'googleDrive' | 'icloud') {
  return attempt(page, 'backup', address, { backup: { provider, password }, password })
}

async function openWaiting() {
  const { page } = await enter(world)
  return { page, address: await createWaiting(page) }
}

async function getProviders(page: Page, address: string) {
  return (await call(page, 'wallet', address)).wallet.backup.providers
}

it.each([
  ['googleDrive', 'ann@people.example'],
  ['icloud', 'Ann Archer'],
] as const)(
  'names the account at %s before the first backup, and the old and the new one before another account gets it',
  async (provider, name) => {
    const { page, address } = await openWaiting()
    await stealNextWindow(page, provider)
    const stolen = backUp(page, address, provider)
    const frame = await getFrame(page, 'visible')
    await frame.getByRole('heading', { name: 'Back up to this account?' }).waitFor()
    expect(await frame.getByRole('main').textContent()).not.toContain(name)
    await press(frame.getByRole('button', { name: 'Cancel', exact: true }))
    expect(await stolen).toMatchObject({ code: 'user_rejected' })
    expect(await getProviders(page, address)).toEqual([])

    const popup = nextWindow(page)
    const first = backUp(page, address, provider)
    await answer(await popup)
    await (await getFrame(page, 'visible')).getByText(name, { exact: true }).waitFor()
    await agree(page, CONFIRM)
    expect(await first).toMatchObject({ value: { provider } })

    const again = nextWindow(page)
    const second = backUp(page, address, provider)
    await answer(await again)
    // The account is known: no question.
    expect(await second).toMatchObject({ value: { provider } })

    await stealNextWindow(page, provider)
    const refreshing = attempt(page, 'refresh', address, { backup: { provider, password }, password })
    await letPageOpen(page)
    const asking = await getFrame(page, 'visible')
    await asking.getByText(`So far they went to another account: ${name}.`).waitFor()
    await press(asking.getByRole('button', { name: 'Cancel', exact: true }))
    expect(await refreshing).toMatchObject({ code: 'user_rejected' })
    expect((await call(page, 'wallet', address)).wallet).toMatchObject({
      epoch: 1,
      backup: { state: 'current', providers: [provider] },
    })
  },
  240_000,
)
