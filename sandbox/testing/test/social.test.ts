/** Each of the 22 providers end to end: app, API and the providers of the sandbox, by window and by redirect. */
import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'
import { choose, openWindow, PROVIDERS, press, signedIn } from '../src/social.js'

const { visit } = setUpSandbox({ accounts: {}, social: true })
const inWindow = PROVIDERS.filter(provider => provider !== 'apple')

it.each(inWindow)('[S1.2] [S2.4] signs in with %s in a window', async provider => {
  const visitor = await visit()
  await visitor.signInDialog.open()
  const popup = await openWindow(visitor, provider)
  const closed = popup.waitForEvent('close')
  await choose(popup)
  await signedIn(visitor)
  await closed
  await visitor.account.open()
  expect(await visitor.account.rows('Ways to sign in')).toHaveLength(1)
})

it.each(PROVIDERS)('[S1.2] [S2.5] signs in with %s by leaving the page', async provider => {
  const visitor = await visit('/receive?social-mode=redirect')
  const { page } = visitor
  await visitor.signInDialog.open()
  await press(visitor, provider)
  await choose(page)
  await signedIn(visitor)
  // Where it was, and nothing of the answer in the address.
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/receive?social-mode=redirect')
  expect(visitor.context.pages()).toHaveLength(1)
})
