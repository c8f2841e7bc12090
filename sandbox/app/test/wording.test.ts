import { KeybayError } from '@keybay/kernel'
import { oauthError } from '@keybay/kernel/spec'
import { backupUnreadable, openBackup } from '@keybay/waas/mpc'
import { expect, it } from 'vitest'
import { explain } from '../src/wording.js'

it('says that the user cancelled at the provider, without the provider’s code', () => {
  const error = new KeybayError({
    ...oauthError,
    message: 'Failed to connect discord social account: access_denied',
    walletCode: 3,
  })
  expect(explain(error)).toBe('You cancelled at the provider. Try again, or choose another way.')
})

it('says what is wrong with a backup file in a sentence, without the name of a step', async () => {
  const error = await openBackup(new TextEncoder().encode('a letter'), 'a password').catch((thrown: unknown) => thrown)
  expect(explain(error)).toBe('Not a backup. Choose the file that you stored when you made the backup.')
  expect(explain(new KeybayError(backupUnreadable))).toBe(
    'Wrong password, or the backup was changed. Check the password, and try again.',
  )
})

it('says why the browser stores nothing for the wallet, and what to do', () => {
  const message = 'This browser doesn’t allow the wallet to store data. Allow it, or use another browser'
  const text = explain(new KeybayError({ code: 'frame_storage_unavailable', message }))
  expect(text).toMatch(/private window.*third-party cookies.*settings/)
})
