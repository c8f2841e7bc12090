/** Tests how the other tests press a button: in a real browser, because Playwright reports a lost click as done. */
import { expect, it } from 'vitest'
import { setUpBrowser } from './pages.js'
import { press } from './user.js'

const newContext = setUpBrowser()

/** @param onDown script that runs in the middle of each click, before the mouse button is released */
async function showButton(onDown: string) {
  const page = await (await newContext()).newPage()
  await page.setContent(`<button onmousedown="${onDown}" onclick="this.name += 'clicked '">Go</button>`)
  return page.getByRole('button', { name: 'Go' })
}

it('presses a button again that moved away from the first click, and once only', async () => {
  const button = await showButton("this.style.marginLeft = '300px'")
  await press(button)
  expect(await button.getAttribute('name')).toBe('clicked ')
})

it('ends with a button that is removed before it has the click', async () => {
  const button = await showButton('this.remove()')
  await press(button)
  expect(await button.count()).toBe(0)
})
