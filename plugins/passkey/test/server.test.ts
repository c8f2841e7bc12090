/** A server has no page: nothing touches one, and the rendered list includes the passkey. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { expect, it } from 'vitest'
import { passkey } from '../src/index.js'

it('a server lists passkeys as ready, and reports WebAuthn as unsupported', async () => {
  const keybay = createKeybay({ appName: 'Test', plugins: [account(), passkey()] })
  expect(keybay.connectors.serverList()).toMatchObject([{ id: 'passkey', readiness: 'ready' }])
  expect(keybay.passkey.supported()).toBe(false)
  await expect(keybay.passkey.autofill()).rejects.toMatchObject({ code: 'webauthn_unsupported' })
  keybay.dispose()
})
