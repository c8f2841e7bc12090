/** Tests the wallet's window: its size, and that a request longer than the window is read before it is signed. */
import { leaveFrame } from '@keybay/sandbox-tools/testing/leave-frame'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from './axe.js'
import { beginInside, beginRestore } from './recover.js'
import { attemptSign, clickUnseen, enter, getTransfer, open, press, setUpWallet } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()
const openWallet = setUpWallet(world)
const LOW = { width: 640, height: 400 }
const HIGH = { width: 1280, height: 1000 }
const PHONE = { width: 375, height: 740 }
/** A small window at double zoom. */
const ZOOMED = { width: 320, height: 400 }

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
  const { page, address } = await openWallet()
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

it('the window shrinks to the work that it shows, and breaks no address before its last character', async () => {
  const { page, address } = await openWallet()
  let resume = () => {}
  const held = new Promise<void>(resolve => {
    resume = resolve
  })
  await page.route(
    '**/sign',
    async route => {
      await held
      await route.continue()
    },
    { times: 1 },
  )
  const { frame, button, signing } = await ask(page, address, 1)
  const lines = await frame.locator('dd.address').evaluateAll(elements =>
    elements.map(element => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const widths = Array.from(range.getClientRects(), ({ width }) => width)
      return (widths.at(-1) ?? 0) / (widths[0] ?? 0)
    }),
  )
  expect(lines).toHaveLength(3)
  expect(Math.min(...lines)).toBeGreaterThan(0.7)
  await press(button)
  await frame.getByRole('status').getByText('Signing…').waitFor()
  await frame.waitForFunction(() => innerHeight < 150)
  resume()
  expect((await signing).code).toBeUndefined()
})

it('a request longer than the window keeps its buttons in sight, and the keyboard signs it once all of it was shown', async () => {
  const { page, address } = await openWallet()
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
  // In a smaller window the user starts again, from the top.
  await page.setViewportSize({ ...LOW, height: LOW.height - 20 })
  // A busy machine may draw a part too late to be seen, so each reading is slower than the one before.
  for (let delay = 400; await button.isDisabled(); delay *= 2) {
    await page.keyboard.press('Home')
    // A key on the way to the top scrolls down from there, and skips the top.
    await frame.waitForFunction(() => document.querySelector('.parts')?.scrollTop === 0)
    await page.keyboard.press('Home', { delay })
    while (!(await isAtEnd())) await page.keyboard.press('PageDown', { delay })
    // The button counts after half a second without a scroll.
    await free.or(frame.getByText('You skipped a part.')).filter({ visible: true }).first().waitFor()
  }
  // From the title to the offer not to ask again, Cancel and Sign.
  for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  expect((await signing).code).toBeUndefined()
})

it('a part that the page covers while it scrolls by does not count as seen', async () => {
  const { page, address } = await openWallet()
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
  const { page, address } = await openWallet()
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

/** Opens the window of an export, or of a restore in a new browser, in an element with this layout. */
async function openInside(kind: 'export' | 'restore', layout?: string) {
  const { address, user, ...home } = kind === 'restore' ? await open(world, 'TWO_OF_THREE') : await openWallet()
  const { page } = kind === 'restore' ? await enter(world, user) : home
  await page.bringToFront()
  const running =
    kind === 'restore'
      ? beginRestore(page, address, 'add-device', { provider: 'external' }, layout)
      : beginInside(page, 'exportPrivateKey', address, {}, layout)
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { level: 1 }).waitFor()
  return { page, frame, running }
}

it.each(['export', 'restore'] as const)(
  'the %s window in a dialog of the app is the same sheet, also at double zoom, and Escape closes the window',
  async kind => {
    const { page, frame, running } = await openInside(kind, 'dialog')
    const dialog = page.locator('dialog[open]')
    await isFitted(frame)
    expect((await dialog.boundingBox())?.width).toBe(420)
    expect((await dialog.boundingBox())?.height).toBeLessThan(500)
    for (const viewport of [PHONE, ZOOMED]) {
      await page.setViewportSize(viewport)
      await frame.waitForFunction(([width, height]) => innerWidth === width && innerHeight <= height, [
        viewport.width,
        viewport.height,
      ] as const)
      const { x, y, width, height } = (await dialog.boundingBox()) ?? { x: 1, y: 0, width: 0, height: 0 }
      expect([x, width, y + height]).toEqual([0, viewport.width, viewport.height])
      expect(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      expect(await violations(frame)).toEqual([])
      const tops = await frame
        .locator('.buttons > button')
        .evaluateAll(all => all.map(button => button.getBoundingClientRect().top))
      expect(tops).toEqual([tops[0], tops[0]])
    }
    await frame.getByRole('heading', { level: 1 }).focus()
    leaveFrame(page)
    expect((await running).code).toBe('user_rejected')
    await expect.poll(() => page.locator('dialog[open], iframe:not([hidden])').count()).toBe(0)
  },
)

it.each([
  ['has no height', 'width:420px', 500],
  ['is higher', 'width:420px;height:640px', 500],
  ['is lower', 'width:420px;height:200px', 200],
  ['shrinks what it holds', 'width:420px;display:flex;flex-direction:column;max-height:200px', 200],
])('the window follows its content in an element that %s', async (_, layout, most) => {
  const { page, frame, running } = await openInside('export', layout)
  const iframe = page.locator('iframe:not([hidden])')
  if (most > 200) await isFitted(frame)
  else await frame.waitForFunction(most => innerHeight === most, most)
  const { height = 0 } = (await iframe.boundingBox()) ?? {}
  expect(height).toBeLessThanOrEqual(most)
  expect(height).toBeGreaterThan(190)
  await clickUnseen(frame.getByRole('button', { name: 'Cancel' }))
  expect((await running).code).toBe('user_rejected')
})

it.each([undefined, 'dialog', 'div'])('a frame’s height leaves the window in sight and on the page (%s)', async tag => {
  const { page } = await openWallet()
  const heights = await page.evaluate(tag => {
    const container = tag === undefined ? undefined : document.body.appendChild(document.createElement(tag))
    const place = window.host.openPlace(container, () => {})
    place.showFrame()
    const frame = place.container.appendChild(document.createElement('iframe'))
    frame.style.border = '0'
    const shown = tag === 'div' ? frame : place.container
    const measure = (height: number) => {
      place.fit(frame, height)
      return shown.getBoundingClientRect().height
    }
    const measured = [0, Number.MAX_SAFE_INTEGER, -1, 200].map(measure)
    place.close()
    container?.remove()
    return measured.map(height => (height === innerHeight ? 'viewport' : height))
  }, tag)
  expect(heights).toEqual([120, 'viewport', 120, 200])
})
