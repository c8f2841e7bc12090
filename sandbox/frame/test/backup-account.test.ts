/** A hostile page sends a backup to an attacker's drive: the frame asks the user, and keeps to the account of before. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { answer, driveFiles, getStolenReturn, grantNew, nextWindow } from './drives.js'
import { restore } from './recover.js'
import { agree, attempt, call, createWaiting, enter, letPageOpen, password, press, readWallet } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
const CONFIRM = 'Use this account'

/** Makes the page open the return page with the attacker's access in place of the provider's next window. */
async function stealNextWindow(page: Page, provider: 'googleDrive' | 'icloud'): Promise<void> {
  const returned = await getStolenReturn(world, page, provider)
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

/** Starts a refresh, whose new backup goes to a drive. */
async function refresh(page: Page, address: string) {
  const refreshing = attempt(page, 'refresh', address, { backup: { provider: 'googleDrive', password }, password })
  await letPageOpen(page)
  return refreshing
}

it('a browser that restores the wallet asks before another account gets the backup, and writes nothing unless R1 shows its record', async () => {
  const first = await enter(world)
  const address = await createWaiting(first.page)
  const popup = nextWindow(first.page)
  const backing = backUp(first.page, address, 'googleDrive')
  await grantNew(first.page, await popup)
  expect(await backing).toMatchObject({ value: { provider: 'googleDrive' } })
  const [file] = await driveFiles(world)

  const { page } = await enter(world, first.user)
  await readWallet(page)
  const { outcome } = await restore(page, address, 'replace-device', file?.bytes ?? new Uint8Array())
  expect(outcome).toMatchObject({ value: { accountAddress: address, here: true } })

  await stealNextWindow(page, 'googleDrive')
  const stolen = refresh(page, address)
  const asking = await getFrame(page, 'visible')
  await asking.getByText('So far they went to another account.').waitFor()
  await press(asking.getByRole('button', { name: 'Cancel', exact: true }))
  expect(await stolen).toMatchObject({ code: 'user_rejected' })

  await page.route('**/wallets/*/state', route => route.abort())
  await stealNextWindow(page, 'googleDrive')
  expect(await refresh(page, address)).toMatchObject({ code: 'frame_relay_unreachable' })
  await page.unroute('**/wallets/*/state')

  const again = nextWindow(page)
  const same = refresh(page, address)
  await answer(await again)
  expect(await same).toMatchObject({ value: { backup: { provider: 'googleDrive' } } })
}, 240_000)
