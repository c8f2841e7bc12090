/** Tests the wallet's window: its size, and that a request longer than the window is read before it is signed. */
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { attemptSign, clickUnseen, getTransfer, open, press } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()
const LOW = { width: 640, height: 400 }
const HIGH = { width: 1280, height: 1000 }
const PHONE = { width: 375, height: 740 }

/** Opens a window that asks about so many transfers, or about a message. */
async function ask(page: Page, address: string, transfers: number) {
  const list = Array.from({ length: transfers }, (_, index) => ({ lamports: 1_000_000_001 + index }))
  const signing =
    transfers > 0
      ? attemptSign(page, address, getTransfer(address, ...list), 'signTransaction')
      : attemptSign(page, address)
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Sign' })
  await button.waitFor()
  const isFree = () => button.and(frame.locator(':enabled')).waitFor()
  const leave = async () => {
    await clickUnseen(frame.getByRole('button', { name: 'Cancel' }))
    expect((await signing).code).toBe('user_rejected')
  }
  return { frame, button, signing, isFree, leave }
}

function scrollTo(frame: Frame, top: number): Promise<void> {
  return frame.evaluate(top => document.querySelector('.parts')?.scrollTo(0, top), top)
}

/** Waits until the window has the height of its content. */
function isFitted(frame: Frame) {
  return frame.waitForFunction(() => {
    const { scrollHeight = 1, clientHeight = 0 } = document.querySelector('.parts') ?? {}
    const { bottom = 0 } = document.querySelector('.foot')?.getBoundingClientRect() ?? {}
    return scrollHeight === clientHeight && innerHeight - bottom <= 3
  })
}

it('the window is as high as its content: a dialog in the middle, and on a phone a sheet at the bottom', async () => {
  const { page, address } = await open(world)
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion })
    const { frame, isFree, leave } = await ask(page, address, 0)
    const dialog = page.locator('dialog')
    const getName = () => dialog.evaluate(element => getComputedStyle(element).animationName)
    expect(await getName()).toBe(reducedMotion === 'reduce' ? 'none' : 'keybay-wallet')
    await isFitted(frame)
    await isFree()
    const viewport = page.viewportSize() ?? PHONE
    const middle = await dialog.boundingBox()
    expect(middle?.width).toBe(420)
    expect((middle?.y ?? 0) * 2 + (middle?.height ?? 0)).toBeCloseTo(viewport.height, 0)
    await page.setViewportSize(PHONE)
    await isFitted(frame)
    await isFree()
    const { x, y, width, height } = (await dialog.boundingBox()) ?? { x: 1, y: 0, width: 0, height: 0 }
    expect([x, width, y + height]).toEqual([0, PHONE.width, PHONE.height])
    expect(y).toBeGreaterThan(100)
    await leave()
    await page.setViewportSize(viewport)
  }
})

it('a request longer than the window keeps its buttons in sight, and the keyboard signs it once all of it was shown', async () => {
  const { page, address } = await open(world)
  await page.setViewportSize(LOW)
  const { frame, button, signing } = await ask(page, address, 8)
  await frame.getByText('Scroll to the end to continue.').waitFor()
  expect(await button.isDisabled()).toBe(true)
  const { y = 0, height = 0 } = (await button.boundingBox()) ?? {}
  expect(y + height).toBeLessThan(LOW.height)
  // A jump to the end shows only the end.
  await page.keyboard.press('End')
  await frame.getByText('You skipped a part. Scroll back to see it.').waitFor()
  expect(await button.isDisabled()).toBe(true)
  const isAtEnd = () =>
    frame.evaluate(() => {
      const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = document.querySelector('.parts') ?? {}
      return scrollTop + clientHeight >= scrollHeight - 1
    })
  const free = button.and(frame.locator(':enabled'))
  do {
    await page.keyboard.press('Home')
    while (!(await isAtEnd())) await page.keyboard.press('PageDown', { delay: 400 })
    // A slow machine may skip a part. The button counts after half a second without a scroll.
    await free.or(frame.getByText('You skipped a part.')).filter({ visible: true }).first().waitFor()
  } while (await button.isDisabled())
  // From the title to the offer not to ask again, Cancel and Sign.
  for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  expect((await signing).code).toBeUndefined()
})

it('a part that the page covers while it scrolls by does not count as seen', async () => {
  const { page, address } = await open(world)
  await page.setViewportSize(LOW)
  const { frame, button, signing } = await ask(page, address, 3)
  await frame.getByText('Scroll to the end to continue.').waitFor()
  const uncover = await page.evaluateHandle(() => {
    const cover = document.createElement('div')
    cover.style.cssText = 'position:fixed;left:0;right:0;top:120px;height:60px;background:#fff;pointer-events:none'
    document.querySelector('dialog[open]')?.append(cover)
    return cover
  })
  await frame.getByText('Something covers this window.').waitFor()
  for (let top = 0; top < 1_000; top += 100) await scrollTo(frame, top)
  await uncover.evaluate(cover => cover.remove())
  await frame.getByText('You skipped a part.').waitFor()
  expect(await button.isDisabled()).toBe(true)
  await press(button)
  expect((await signing).code).toBeUndefined()
})

it('a page that makes the window smaller after the user has seen the request gets no click', async () => {
  const { page, address } = await open(world)
  await page.setViewportSize(HIGH)
  const { frame, button, isFree, leave } = await ask(page, address, 1)
  await isFree()
  const setHeight = (height: string) =>
    page.locator('dialog').evaluate((dialog, height) => dialog.style.setProperty('height', height), height)
  await setHeight('100px')
  await button.and(frame.locator(':disabled')).waitFor()
  await setHeight('')
  await isFitted(frame)
  await isFree()
  await leave()
})
