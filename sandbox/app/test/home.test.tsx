// @vitest-environment happy-dom
import { createKeybay, definePlugin } from '@keybay/kernel'
import { KeybayError } from '@keybay/kernel/spec'
import { expect, it } from 'vitest'
import { configurePage, setUpScreen, show } from './screen.js'

configurePage()
const { Welcome } = await import('../src/overview/welcome.js')
const { SignedIn } = await import('../src/overview/signed-in.js')
const { PageNotLoaded } = await import('../src/design/index.js')
const { providers } = await import('../src/social/providers.js')

setUpScreen()

it('tells a visitor what Keybay is, with the number of providers that the app has, and what to do first', async () => {
  const screen = show(createKeybay({ appName: 'Test', plugins: [] }), <Welcome />)
  await screen.sees('Sign-in and wallets for your app')
  await screen.sees(`Email, phone, passkey, a wallet, or one of ${providers.length} providers.`)
  const steps = [...screen.element.querySelectorAll('ol h3')].map(({ textContent }) => textContent)
  expect(steps).toEqual(['Sign in', 'Get test SOL', 'Send or sign'])
  const code = screen.element.querySelector('figure pre')?.textContent
  expect(code).toMatch(/^const keybay = createKeybay/)
  expect(code).toContain('plugins: [account(), passkey(), waas()],')
  expect(code).not.toContain('export')
})

it('tells a signed-in user without a wallet the next steps, and not how to sign in', async () => {
  const screen = show(createKeybay({ appName: 'Test', plugins: [] }), <SignedIn />)
  await screen.sees('You’re signed in')
  const links = [...screen.element.querySelectorAll('a')].map(link => link.getAttribute('href'))
  expect(links).toEqual(['/wallets/new', '/account'])
  expect(screen.button('Sign in')).toBeUndefined()
})

it('says why the wallet of a new user was not created', async () => {
  let fail = () => {}
  const waas = definePlugin({
    id: 'waas',
    version: '0.1.0',
    setup({ events }) {
      fail = () =>
        events.emit('waas:failed', {
          error: new KeybayError({
            code: 'frame_storage_unavailable',
            message: 'This browser doesn’t allow the wallet to store data. Allow it, or use another browser',
          }),
        })
      return {}
    },
  })
  const screen = show(createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [waas] }), <SignedIn />)
  await screen.sees('You’re signed in')
  expect(screen.element.querySelector('[role=alert]')).toBeNull()
  fail()
  await screen.sees('Your wallet isn’t ready.')
  await screen.sees('use another browser')
})

it('says that a page could not be loaded, and how to go on', async () => {
  const screen = show(createKeybay({ appName: 'Test', plugins: [] }), <PageNotLoaded />)
  await screen.sees('This page didn’t load')
  expect(screen.button('Reload')).toBeDefined()
})
