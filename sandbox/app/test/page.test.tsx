// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { Page } from '../src/design/page.js'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const MENU = <button type="button">Menu</button>

it('focuses the heading of a page that the user went to, and of a screen that removed the focus, but takes none', async () => {
  document.body.innerHTML = '<main></main>'
  const root = createRoot(document.querySelector('main') ?? document.body)
  const show = (title: string) =>
    act(async () =>
      root.render(
        <>
          {MENU}
          <Page key={title} title={title}>
            <button type="button">Inside</button>
          </Page>
        </>,
      ),
    )
  const focused = () => document.activeElement?.textContent
  const press = (index: number) => document.querySelectorAll('button')[index]?.focus()
  await show('First')
  expect(document.activeElement).toBe(document.body)
  press(0)
  await show('Signed in')
  expect(focused()).toBe('Menu')
  press(1)
  await show('Signed out')
  expect(focused()).toBe('Signed out')
  press(0)
  history.pushState({}, '', '/wallets')
  await show('Wallets')
  expect(focused()).toBe('Wallets')
})
