// @vitest-environment happy-dom
import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished, vi } from 'vitest'

async function openApp() {
  // Other files of the process have shown pages.
  vi.resetModules()
  const { Page } = await import('../src/design/page.js')
  const { PageLoading } = await import('../src/design/page-loading.js')
  document.body.innerHTML = '<main></main>'
  const root = createRoot(document.querySelector('main') ?? document.body)
  onTestFinished(() => {
    root.unmount()
    history.replaceState({}, '', '/')
  })
  const menu = (
    <button key="menu" type="button">
      Menu
    </button>
  )
  return {
    async show(title: string) {
      const page = (
        <Page key={title} title={title}>
          <button type="button">Inside</button>
        </Page>
      )
      root.render([menu, page])
      await expect.poll(() => document.title).toBe(`${title} · Keybay sandbox`)
    },
    async load(path: string) {
      history.replaceState({}, '', path)
      root.render([menu, <PageLoading key={path} />])
      await expect.poll(() => document.querySelector('.page-loading')).not.toBe(null)
    },
    focused: () => document.activeElement?.textContent,
    press: (name: string) =>
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.focus(),
  }
}

it('focuses the heading of a page that the user went to, and of a screen that removed the focus, but takes none', async () => {
  const { show, focused, press } = await openApp()
  await show('First')
  expect(document.activeElement).toBe(document.body)
  press('Menu')
  await show('Signed in')
  expect(focused()).toBe('Menu')
  press('Inside')
  await show('Signed out')
  expect(focused()).toBe('Signed out')
  press('Menu')
  history.replaceState({}, '', '/wallets')
  await show('Wallets')
  expect(focused()).toBe('Wallets')
})

it('a page that comes late takes the focus from what opened it, but not from what the user went to since', async () => {
  const { show, load, focused, press } = await openApp()
  await show('First')
  press('Menu')
  await load('/send')
  await show('Send')
  expect(focused()).toBe('Send')
  await load('/sign')
  press('Menu')
  await show('Sign')
  expect(focused()).toBe('Menu')
  // Its code is there already.
  history.replaceState({}, '', '/send')
  await show('Send again')
  history.replaceState({}, '', '/sign')
  press('Menu')
  await show('Sign again')
  expect(focused()).toBe('Sign again')
})
