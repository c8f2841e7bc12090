/** Tests a hostile page that lays the window out, or writes its request, so that the user sees something else. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createOther, enterAll, TYPED } from './chains.js'
import { attemptSign, clickUnseen, open } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

async function getQuestion(page: Page) {
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Sign', exact: true })
  await button.and(frame.locator(':enabled')).waitFor()
  return { frame, button }
}

it('a window that the page distorts, cuts off, fades or makes tiny after the user has seen it gets no click', async () => {
  const { page, address } = await open(world)
  const signing = attemptSign(page, address)
  const { frame, button } = await getQuestion(page)
  for (const style of [
    'iframe { opacity: .9 }',
    'iframe { filter: blur(1px) }',
    'iframe { mix-blend-mode: difference }',
    'iframe { transform: scale(.2) }',
    'iframe { clip-path: inset(0 0 100px 0) }',
    'iframe { zoom: .2 }',
    'dialog { rotate: 3deg }',
    'dialog { scale: 10 }',
    'dialog { backdrop-filter: blur(3px) }',
    'dialog::after { content: ""; position: absolute; inset: 0 0 100px; background: #fff; pointer-events: none }',
  ]) {
    const tag = await page.addStyleTag({ content: style })
    const hint = style.includes('zoom') ? 'This window is too small.' : 'Something covers this window.'
    await frame.getByText(hint).waitFor()
    expect([style, await button.isDisabled()]).toEqual([style, true])
    await tag.evaluate(element => element.parentNode?.removeChild(element))
    await button.and(frame.locator(':enabled')).waitFor()
  }
  await clickUnseen(frame.getByRole('button', { name: 'Cancel' }))
  expect((await signing).code).toBe('user_rejected')
})

it('marks that a message piles up paint over no other line of the window', async () => {
  const { page, address } = await open(world)
  const shots: Buffer[] = []
  for (const text of ['a', `a${'\u0301\u0336'.repeat(60)}`]) {
    const signing = attemptSign(page, address, text)
    const { frame } = await getQuestion(page)
    // The line above the message.
    const wallet = frame.locator('.parts > dl')
    if (shots.length === 0) await frame.locator('.parts > small').evaluate(element => element.remove())
    shots.push(await wallet.screenshot())
    await clickUnseen(frame.getByRole('button', { name: 'Cancel' }))
    await signing
  }
  expect(shots[1]?.equals(shots[0] ?? Buffer.of())).toBe(true)
})

it('a long name of typed data pushes no value out of sight', async () => {
  const { page } = await enterAll(world)
  const { address } = await createOther(page, 'EVM')
  const name = 't'.repeat(128)
  const [, amount] = TYPED.types.Order
  const types = { Order: [{ name, type: 'address' }, amount] }
  const message = { [name]: TYPED.message.taker, amount: TYPED.message.amount }
  const signing = attemptSign(page, address, JSON.stringify({ ...TYPED, types, message }), 'signTypedData')
  const frame = await getFrame(page, 'visible')
  const value = frame.getByText(TYPED.message.taker, { exact: true })
  await value.waitFor()
  const [right, width] = await value.evaluate(element => [element.getBoundingClientRect().right, innerWidth])
  expect(right).toBeLessThanOrEqual(width ?? 0)
  expect(await frame.locator('.parts').evaluate(parts => parts.scrollWidth - parts.clientWidth)).toBe(0)
  await clickUnseen(frame.getByRole('button', { name: 'Cancel' }))
  expect((await signing).code).toBe('user_rejected')
})
