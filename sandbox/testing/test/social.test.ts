/**
 * Tests social sign-in end to end: app, API and the sandbox's providers, in a browser. Two providers per way back; the
 * API's tests sign in with each of the 22 (sandbox/api/test/social.test.ts, and by the kit in
 * account-client/social.test.ts).
 */
import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'
import { choose, openWindow, press, signedIn } from '../src/social.js'

const { visit } = setUpSandbox({ accounts: {}, social: true })

it.each(['google', 'farcaster'] as const)('[S1.2] [S2.4] signs in with %s in a window', async provider => {
  const visitor = await visit()
  await visitor.signInDialog.open()
  const popup = await openWindow(visitor, provider)
  const closed = popup.waitForEvent('close')
  await choose(popup)
  await signedIn(visitor)
  await closed
  await visitor.account.open()
  await expect.poll(() => visitor.account.rows('Ways to sign in')).toHaveLength(1)
})

it.each(['apple', 'telegram'] as const)('[S1.2] [S2.5] signs in with %s by redirect', async provider => {
  const visitor = await visit('/receive?social-mode=redirect')
  const { page } = visitor
  await visitor.signInDialog.open()
  await press(visitor, provider)
  await choose(page)
  await signedIn(visitor)
  // The page and its query are as before, without a trace of the response.
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/receive?social-mode=redirect')
  expect(visitor.context.pages()).toHaveLength(1)
})
