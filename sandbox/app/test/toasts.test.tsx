// @vitest-environment happy-dom
/** Tests that the later one of two toasts that contradict each other replaces the earlier one. */
import type { UserState } from '@keybay/account'
import { createKeybay, definePlugin } from '@keybay/kernel'
import { expect, it } from 'vitest'
import { configurePage, setUpScreen, show } from './screen.js'

configurePage()
// The app reads it when its modules load.
history.replaceState(null, '', '/?keybay_social=google')
const { UserButton } = await import('../src/account/user-button.js')
const { ToastRegion, toast } = await import('../src/design/index.js')
const { tellReturned } = await import('../src/social/social-mode.js')
setUpScreen()

it('a sign-out replaces “You are signed in” of the return from a provider, and keeps a toast of another topic', async () => {
  const user: UserState = { status: 'none' }
  let signIn = async () => {}
  const account = definePlugin({
    id: 'account',
    version: '0.1.0',
    setup({ session, events }) {
      signIn = async () => {
        await session.set({ status: 'authenticated', userId: 'mara' })
        events.emit('account:signed-in', { userId: 'mara', isNewUser: false })
      }
      return { api: { signOut: session.clear, user: { current: user, subscribe: () => () => {} } } }
    },
  })
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [account] })
  tellReturned(keybay)
  const page = show(
    keybay,
    <>
      <UserButton />
      <ToastRegion />
    </>,
  )
  const getToasts = () => [...page.element.querySelectorAll('.keybay-toast')].map(({ textContent }) => textContent)
  toast('Saved')
  await signIn()
  await expect.poll(getToasts).toEqual(['Saved', 'You are signed in'])
  for (const name of ['Signed in as You', 'Sign out']) {
    await expect.poll(() => page.button(name)).toBeDefined()
    page.press(name)
  }
  await page.sees('You are signed out')
  expect(getToasts()).toEqual(['Saved', 'You are signed out'])
})
