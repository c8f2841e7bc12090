/** Tests the exported key: only the visible frame shows it, for one minute. */
import { signWithScalar } from '@keybay/waas/mpc'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { beginExport, exportKey, showKey, spends } from './exporting.js'
import { create, isSignature, password, press, sign } from './person.js'
import { getFrame, setUpWorld } from './world.js'

// Passwords are derived several times, which takes time on a slow machine.
vi.setConfig({ testTimeout: 300_000 })
const world = setUpWorld()

async function signedIn(): Promise<Page> {
  const page = await world.visit()
  await world.signIn(page)
  return page
}
it('[S1.9] shows a key that works in web3.js, only after a press, hides the key on blur and ends after a minute', async () => {
  const page = await signedIn()
  await page.clock.install()
  await page.clock.resume()
  const { address } = await create(page, 'TWO_OF_THREE')
  const exporting = beginExport(page, address)
  const frame = await getFrame(page, 'visible')
  await frame.getByText('The wallet then counts as exported').waitFor()
  await press(frame.getByRole('button', { name: 'Export the key' }))
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
  const [wallet] = await page.evaluate(() => window.host.keybay.waas.wallets())
  expect(wallet).toMatchObject({ exported: true, accountAddress: address })
  expect(isSignature(address, 'as before', await sign(page, address, 'as before'))).toBe(true)
})

it('[S1.9] exports the scalar of a wallet that never had a whole key, and says that only a sweep can use the scalar', async () => {
  const page = await signedIn()
  const { address } = await create(page, 'TWO_OF_TWO', false)
  const { text, words } = await exportKey(page, address)
  expect(words).toContain('waas sweep')
  const scalar = new Uint8Array(Buffer.from(text, 'hex'))
  const signature = signWithScalar(scalar, new TextEncoder().encode('by the number alone'))
  expect(isSignature(address, 'by the number alone', Buffer.from(signature).toString('base64'))).toBe(true)
})

it('[S5.9] refuses to export a key without a display container of the caller', async () => {
  const page = await signedIn()
  const { address } = await create(page, 'TWO_OF_TWO')
  const outcome = await page.evaluate(address => {
    const { exportPrivateKey } = window.host.keybay.waas
    const options: unknown = {}
    return window.host.outcome(Reflect.apply(exportPrivateKey, undefined, [address, options]))
  }, address)
  expect(outcome).toEqual({ code: 'display_container_missing', message: 'A display container is needed' })
})

it('export ignores clicks while something covers the window, and clicks that pass through a cover', async () => {
  const page = await signedIn()
  const { address } = await create(page, 'TWO_OF_TWO')
  world.requests.length = 0
  const exporting = beginExport(page, address, true)
  const frame = await getFrame(page, 'visible')
  const agree = frame.getByRole('button', { name: 'Export the key' })
  await frame.getByText('Something covers this window.').waitFor()
  expect(await agree.isDisabled()).toBe(true)
  const where = await agree.boundingBox()
  // Even a forced click sends nothing to the relay.
  await agree.click({ force: true })
  await agree.evaluate((button: HTMLElement) => button.click())
  expect(world.requests.filter(path => path.endsWith('/export'))).toEqual([])
  await page.evaluate(() => document.querySelector('#cover')?.remove())
  await agree.and(frame.locator(':enabled')).waitFor()
  // The enabled button stays where the user saw it, so a press that is on its way does not miss it.
  expect(await agree.boundingBox()).toEqual(where)
  await press(agree)
  // The key's own screen is guarded too.
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  await page.evaluate(() => {
    const cover = document.createElement('div')
    cover.style.cssText = 'position:fixed;inset:0;background:#fff;opacity:.9;pointer-events:none;z-index:9'
    document.body.append(cover)
  })
  await frame.getByText('Something covers this window.').waitFor()
  await frame.getByRole('button', { name: 'Show the key' }).click({ force: true })
  expect(await frame.getByLabel('Private key').textContent()).toBe('')
  await page.evaluate(() => document.querySelector('body > div:last-child')?.remove())
  await press(frame.getByRole('button', { name: 'Done' }))
  expect((await exporting).code).toBeUndefined()
})

it('export ignores clicks while the page cuts off or covers the consent text, even if the button is fully visible', async () => {
  const page = await signedIn()
  const { address } = await create(page, 'TWO_OF_TWO')
  world.requests.length = 0
  const exporting = beginExport(page, address)
  const frame = await getFrame(page, 'visible')
  const agree = frame.getByRole('button', { name: 'Export the key' })
  const isFree = () => agree.and(frame.locator(':enabled')).waitFor()
  const isRefused = async () => {
    await agree.and(frame.locator(':disabled')).waitFor()
    await frame.getByText('Something covers this window.').waitFor()
    await agree.evaluate((button: HTMLButtonElement) => button.click())
    expect(world.requests.filter(path => path.endsWith('/export'))).toEqual([])
  }
  await isFree()
  const above = await agree.evaluate(button => button.getBoundingClientRect().top - 4)
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
  await shown.evaluate((iframe, above) => {
    const { left, top, width } = iframe.getBoundingClientRect()
    const cover = document.createElement('div')
    cover.id = 'words'
    cover.style.cssText = `position:fixed;left:${left}px;top:${top}px;width:${width}px;height:${above}px;background:#fff;z-index:9`
    document.body.append(cover)
  }, above)
  await isRefused()
  await page.evaluate(() => document.querySelector('#words')?.remove())
  await press(agree)
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  await press(frame.getByRole('button', { name: 'Done' }))
  expect((await exporting).code).toBeUndefined()
})

it('exports nothing if the user declines or the browser has no share', async () => {
  const page = await signedIn()
  const { address } = await create(page, 'TWO_OF_TWO')
  const exporting = beginExport(page, address)
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Cancel' }))
  expect((await exporting).code).toBe('user_rejected')
  expect((await page.evaluate(() => window.host.keybay.waas.wallets()))[0]?.exported).toBe(false)
  const other = await signedIn()
  expect((await beginExport(other, address)).code).toBe('frame_share_elsewhere')
})

it('[S5.9] refuses to export on another site or without storage, and continues where the share is stored', async () => {
  const page = await world.visit()
  const person = await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const other = await world.visit(page.context(), 'other')
  await world.signIn(other, person)
  expect((await beginExport(other, address)).code).toBe('frame_share_elsewhere')
  const blocked = await world.visit(await world.newContext({ isStorageBlocked: true }))
  await world.signIn(blocked, person)
  expect((await beginExport(blocked, address)).code).toBe('frame_storage_unavailable')
  await page.bringToFront()
  const exporting = beginExport(page, address)
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Cancel' }))
  expect((await exporting).code).toBe('user_rejected')
  expect(isSignature(address, 'as before', await sign(page, address, 'as before'))).toBe(true)
})

it('copies the device’s share under a password that the user enters in the frame and the page never has', async () => {
  const page = await signedIn()
  const { address } = await create(page, 'TWO_OF_TWO')
  const copying = page.evaluate(
    address => window.host.outcome(window.host.keybay.waas.exportClientKeyshares(address)),
    address,
  )
  const frame = await getFrame(page, 'visible')
  await frame.getByText('The copy is encrypted.').waitFor()
  expect(await frame.getByRole('main').textContent()).not.toContain('The page knows')
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect((await copying).code).toBe('user_rejected')
})

it('copies the device’s share encrypted; the copy and the backup yield the key without any service', async () => {
  const page = await signedIn()
  const { address, file } = await create(page, 'TWO_OF_THREE')
  if (!file) throw new Error('no backup')
  const copying = page.evaluate(
    ([address, password]) => window.host.keybay.waas.exportClientKeyshares(address, { password }),
    [address, password] as const,
  )
  const frame = await getFrame(page, 'visible')
  await frame.getByText('The page knows the password of the copy and can open it.').waitFor()
  await press(frame.getByRole('button', { name: 'Make the copy' }))
  const keyShares = await copying
  expect(keyShares).toHaveLength(1)
  await world.stopRelay()
  try {
    const given = { keyShares: [...keyShares, Buffer.from(file).toString('base64')], passwords: [password] }
    const base64Args = Buffer.from(JSON.stringify({ ...given, derivationPath: "m/44'/501'/0'/0'" })).toString('base64')
    const offline = (text: string) =>
      page.evaluate(text => window.host.outcome(window.host.keybay.waas.offlineExportPrivateKey(text)), text)
    const { value } = await offline(base64Args)
    const { accountAddress, privateKey }: { accountAddress: string; privateKey: string } = Object(value)
    expect(accountAddress).toBe(address)
    expect(spends(privateKey, address)).toBe(true)
    const alone = Buffer.from(JSON.stringify({ ...given, keyShares })).toString('base64')
    expect((await offline(alone)).code).toBe('mpc_shares_missing')
    expect((await offline('bm90IEpTT04=')).code).toBe('message_malformed')
  } finally {
    await world.resumeRelay()
  }
})
