/** Tests the exported key: only the visible frame shows it, for one minute. */
import { signWithScalar } from '@keybay/waas/mpc'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { violations } from './axe.js'
import { agreeToExport, beginInside, exportKey, showKey, spends } from './recover.js'
import {
  agree,
  attempt,
  call,
  enter,
  expectSigns,
  isSignature,
  open,
  password,
  readWallet,
  setUpWallet,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

// Passwords are derived several times, which takes time on a slow machine.
vi.setConfig({ testTimeout: 300_000 })
const world = setUpWorld()
const openWallet = setUpWallet(world)

function beginExport(page: Page, address: string) {
  return beginInside(page, 'exportPrivateKey', address)
}

/** Covers a part of the page, and lets clicks through. @returns a function that removes the cover */
async function cover(page: Page, style = 'inset:0'): Promise<() => Promise<void>> {
  const handle = await page.evaluateHandle(style => {
    const cover = document.createElement('div')
    cover.style.cssText = `position:fixed;background:#fff;opacity:.9;pointer-events:none;z-index:9;${style}`
    document.body.append(cover)
    return cover
  }, style)
  return () => handle.evaluate(cover => cover.remove())
}

function countExports(): number {
  return world.requests.filter(path => path.endsWith('/export')).length
}

it('[S1.9][S7.3] exportPrivateKey shows a key that works in web3.js, only after a press, hides the key on blur and ends after a minute', async () => {
  const { page, address } = await open(world, 'TWO_OF_THREE')
  await page.clock.install()
  await page.clock.resume()
  const exporting = beginExport(page, address)
  const frame = await getFrame(page, 'visible')
  await frame.getByText('The wallet then counts as exported').waitFor()
  await agreeToExport(page)
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  const key = frame.getByLabel('Private key')
  expect(await key.textContent()).toBe('')
  const text = await showKey(frame)
  // The warning about a covered window must not appear for a hidden button.
  await frame.locator('button:disabled', { hasText: 'Show the key' }).waitFor({ state: 'attached' })
  expect(await frame.getByText('Something covers this window.').isVisible()).toBe(false)
  expect(spends(text, address)).toBe(true)
  // Leaving the window hides the key.
  await page.evaluate(() => window.focus())
  await frame.evaluate(() => window.dispatchEvent(new FocusEvent('blur')))
  await key.waitFor({ state: 'hidden' })
  expect(await key.textContent()).toBe('')
  expect(await showKey(frame)).toBe(text)
  await page.clock.fastForward(60_000)
  expect(await exporting).toEqual({ value: undefined })
  expect(await page.content()).not.toContain(text)
  expect(await readWallet(page)).toMatchObject({ exported: true, accountAddress: address })
  await expectSigns(page, address)
})

it('[S1.9] exports the scalar of a wallet that never had a whole key, and says that only a sweep can use the scalar', async () => {
  const { page, address } = await open(world, 'TWO_OF_TWO', false)
  const { text, words } = await exportKey(page, address)
  expect(words).toContain('waas sweep')
  const scalar = new Uint8Array(Buffer.from(text, 'hex'))
  const signature = signWithScalar(scalar, new TextEncoder().encode('by the number alone'))
  expect(isSignature(address, 'by the number alone', Buffer.from(signature).toString('base64'))).toBe(true)
})

it('[S5.9] refuses to export a key without a display container of the caller', async () => {
  const { page, address } = await openWallet()
  const outcome = await page.evaluate(
    address => window.host.outcome(window.host.call('exportPrivateKey', [address, {}])),
    address,
  )
  expect(outcome).toEqual({ code: 'display_container_missing', message: 'A display container is needed' })
})

it('export ignores clicks while something covers the window, and clicks that pass through a cover', async () => {
  const { page, address } = await openWallet()
  world.requests.length = 0
  const uncover = await cover(page)
  const exporting = beginExport(page, address)
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Export the key' })
  await frame.getByText('Something covers this window.').waitFor()
  expect(await button.isDisabled()).toBe(true)
  const where = await button.boundingBox()
  // Even a forced click sends nothing to the relay.
  await button.click({ force: true })
  await button.evaluate((button: HTMLElement) => button.click())
  expect(countExports()).toBe(0)
  await uncover()
  await button.and(frame.locator(':enabled')).waitFor()
  // The enabled button stays where the user saw it, so a press that is on its way does not miss it.
  expect(await button.boundingBox()).toEqual(where)
  await agreeToExport(page)
  // The key's own screen is guarded too.
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  const uncoverKey = await cover(page)
  await frame.getByText('Something covers this window.').waitFor()
  await frame.getByRole('button', { name: 'Show the key' }).click({ force: true })
  expect(await frame.getByLabel('Private key').textContent()).toBe('')
  await uncoverKey()
  await agree(page, 'Done')
  expect((await exporting).code).toBeUndefined()
})

it('export ignores clicks while the page cuts off or covers the consent text, even if the button is fully visible', async () => {
  const { page, address } = await openWallet()
  world.requests.length = 0
  const exporting = beginExport(page, address)
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Export the key' })
  const isFree = () => button.and(frame.locator(':enabled')).waitFor()
  const isRefused = async () => {
    await button.and(frame.locator(':disabled')).waitFor()
    await frame.getByText('Something covers this window.').waitFor()
    await button.evaluate((button: HTMLButtonElement) => button.click())
    expect(countExports()).toBe(0)
  }
  await isFree()
  const above = await button.evaluate(button => button.getBoundingClientRect().top - 4)
  const shown = page.locator('iframe:not([hidden])')
  // The page shows only the button's line of the window, below text of its own.
  await shown.evaluate((iframe, above) => {
    iframe.style.height = '640px'
    iframe.style.marginTop = `${-above}px`
    iframe.parentElement?.style.setProperty('height', '60px')
    iframe.parentElement?.style.setProperty('overflow', 'hidden')
  }, above)
  await isRefused()
  await shown.evaluate(iframe => {
    iframe.style.marginTop = '0'
    iframe.parentElement?.style.setProperty('height', '640px')
  })
  await isFree()
  const { left, top, width } = await shown.evaluate(iframe => iframe.getBoundingClientRect().toJSON())
  const uncover = await cover(page, `left:${left}px;top:${top}px;width:${width}px;height:${above}px`)
  await isRefused()
  await uncover()
  await agreeToExport(page)
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  await agree(page, 'Done')
  expect((await exporting).code).toBeUndefined()
})

it('shows a user without a second factor no key by clicks alone, and names what is missing to a screen reader', async () => {
  const { page, address } = await openWallet()
  world.requests.length = 0
  const exporting = beginExport(page, address)
  const frame = await agree(page, 'Export the key')
  const title = frame.getByRole('heading', { name: 'Is it safe to show your key here?' })
  await title.waitFor()
  await title.and(frame.locator(':focus')).waitFor()
  expect(await violations(frame)).toEqual([])
  await agree(page, 'Continue')
  await frame.getByRole('alert').getByText('Type “export” to continue.').waitFor()
  expect(countExports()).toBe(0)
  const field = frame.getByLabel('Type “export” to continue')
  await field.fill('Export')
  await field.press('Enter')
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  expect(countExports()).toBe(1)
  await agree(page, 'Done')
  expect((await exporting).code).toBeUndefined()
})

it('exports nothing if the user declines or the browser has no share', async () => {
  const { page, address } = await open(world)
  const exporting = beginExport(page, address)
  await agree(page, 'Cancel')
  expect((await exporting).code).toBe('user_rejected')
  expect((await readWallet(page))?.exported).toBe(false)
  const { page: other } = await enter(world)
  expect((await beginExport(other, address)).code).toBe('frame_share_elsewhere')
})

it('[S5.9] refuses to export on another site or without storage, and continues where the share is stored', async () => {
  const { page, user, address } = await open(world)
  const { page: other } = await enter(world, user, await world.visit(page.context(), 'other'))
  expect((await beginExport(other, address)).code).toBe('frame_share_elsewhere')
  const blocked = await world.visit(await world.newContext({ isStorageBlocked: true }))
  await enter(world, user, blocked)
  expect((await beginExport(blocked, address)).code).toBe('frame_storage_unavailable')
  await page.bringToFront()
  const exporting = beginExport(page, address)
  await agree(page, 'Cancel')
  expect((await exporting).code).toBe('user_rejected')
  await expectSigns(page, address)
})

it('copies the device’s share under a password that the user enters in the frame and the page never has', async () => {
  const { page, address } = await openWallet()
  const copying = attempt(page, 'exportClientKeyshares', address)
  const frame = await getFrame(page, 'visible')
  await frame.getByText('The copy is encrypted.').waitFor()
  expect(await frame.getByRole('main').textContent()).not.toContain('The page knows')
  await agree(page, 'Cancel')
  expect((await copying).code).toBe('user_rejected')
})

it('[S7.3] exportClientKeyshares copies the device’s share encrypted; offlineExportPrivateKey gets the key from the copy and the backup, without any service', async () => {
  const { page, address, file } = await open(world, 'TWO_OF_THREE')
  const copying = call(page, 'exportClientKeyshares', address, { password })
  const frame = await getFrame(page, 'visible')
  await frame.getByText('The page knows the password of the copy and can open it.').waitFor()
  await agree(page, 'Make the copy')
  const keyShares = await copying
  expect(keyShares).toHaveLength(1)
  await world.stopRelay()
  try {
    const toBase64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
    const exportInput = { keyShares: [...keyShares, Buffer.from(file).toString('base64')], passwords: [password] }
    const whole = toBase64({ ...exportInput, derivationPath: "m/44'/501'/0'/0'" })
    const { accountAddress, privateKey } = await call(page, 'offlineExportPrivateKey', whole)
    expect(accountAddress).toBe(address)
    expect(spends(privateKey, address)).toBe(true)
    const alone = await attempt(page, 'offlineExportPrivateKey', toBase64({ ...exportInput, keyShares }))
    expect(alone.code).toBe('mpc_shares_missing')
    expect((await attempt(page, 'offlineExportPrivateKey', 'bm90IEpTT04=')).code).toBe('message_malformed')
  } finally {
    await world.resumeRelay()
  }
})
