/** The linked Google accounts go along with requests that use a drive, and with no others. */
import type { User, UserCredential } from '@keybay/account'
import { expect, it, vi } from 'vitest'
import { getDriveAccounts } from '../../src/client/drive-accounts.js'

function google(email: string, lastUsedAt: number): UserCredential {
  const accountId = `id of ${email}`
  const profile = { id: accountId, email, emailVerified: true }
  return { id: email, method: 'oauth', provider: 'google', accountId, profile, createdAt: 0, lastUsedAt }
}
const facts = { id: 'u1', username: null, email: 'mara@example.com', phoneNumber: null, metadata: {}, createdAt: 0 }
const mara: User = {
  ...facts,
  lastSignInAt: 0,
  step: 'done',
  credentials: [
    { id: 'c1', method: 'email', email: 'mara@example.com', createdAt: 0, lastUsedAt: 9 },
    google('old@example.com', 1),
    google('Mara@Example.com', 5),
    { ...google('mara@github.example', 8), provider: 'github' },
  ],
  mfa: { devices: [], recoveryCodes: 0 },
}
/** @param refresh the API's response */
function accountWith(user: User | undefined, refresh = vi.fn(async (): Promise<User | undefined> => undefined)) {
  const current = { status: user ? ('ready' as const) : ('none' as const), user }
  return { user: { current, subscribe: () => () => {}, refresh } }
}
const toDrive = { backup: { provider: 'googleDrive' } } as const

it.each([
  ['backupKeyShares', toDrive],
  ['createWalletAccount', toDrive],
  ['backupKeySharesToGoogleDrive', {}],
  ['restoreBackupFromGoogleDrive', {}],
  // The frame knows where the old backup is.
  ['refreshWalletAccountShares', {}],
  ['reshare', {}],
] as const)('%s passes the user’s Google accounts to the frame, the last used account first', async (type, request) => {
  expect(await getDriveAccounts(accountWith(mara), type, request)).toEqual({
    driveAccounts: ['mara@example.com', 'old@example.com'],
  })
})

it('passes no Google account to other providers and operations, and does not load the user for them', async () => {
  const refresh = vi.fn(async () => mara)
  const account = accountWith(undefined, refresh)
  for (const request of [{ backup: { provider: 'icloud' } }, { backup: { provider: 'external' } }, {}])
    expect(await getDriveAccounts(account, 'backupKeyShares', request)).toEqual({})
  expect(await getDriveAccounts(account, 'reshare', { backup: { provider: 'dynamic' } })).toEqual({})
  expect(await getDriveAccounts(account, 'signMessage', { message: 'googleDrive' })).toEqual({})
  expect(refresh).not.toHaveBeenCalled()
})

it('allows any drive for a user without a Google account, and while the API is unreachable', async () => {
  const withoutGoogle = { ...mara, credentials: mara.credentials.slice(0, 1) }
  expect(await getDriveAccounts(accountWith(withoutGoogle), 'backupKeyShares', toDrive)).toEqual({})
  const away = accountWith(undefined, vi.fn().mockRejectedValue(new Error('down')))
  expect(await getDriveAccounts(away, 'backupKeyShares', toDrive)).toEqual({})
  const later = accountWith(undefined, vi.fn().mockResolvedValue(mara))
  expect(await getDriveAccounts(later, 'backupKeyShares', toDrive)).toHaveProperty('driveAccounts.length', 2)
})
