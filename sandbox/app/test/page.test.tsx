// @vitest-environment happy-dom
import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished, vi } from 'vitest'

it('focuses the heading of a page that the user went to, and of a screen that removed the focus, but takes none', async () => {
  // Other files of the process have shown pages.
  vi.resetModules()
  const { Page } = await import('../src/design/page.js')
  document.body.innerHTML = '<main></main>'
  const root = createRoot(document.querySelector('main') ?? document.body)
  onTestFinished(() => {
    root.unmount()
    history.replaceState({}, '', '/')
  })
  const show = async (title: string) => {
    root.render(
      <>
        <button type="button">Menu</button>
        <Page key={title} title={title}>
          <button type="button">Inside</button>
        </Page>
      </>,
    )
    await expect.poll(() => document.title).toBe(`${title} · Keybay sandbox`)
  }
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
  history.replaceState({}, '', '/wallets')
  await show('Wallets')
  expect(focused()).toBe('Wallets')
})
