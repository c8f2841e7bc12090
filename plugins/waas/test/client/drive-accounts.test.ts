/** The linked Google accounts go along with requests that use a drive, and with no others. */
import type { User, UserCredential } from '@keybay/account'
import { expect, it } from 'vitest'
import { getDriveAccounts } from '../../src/client/drive-accounts.js'

function google(email: string, lastUsedAt: number): UserCredential {
  return {
    id: email,
    method: 'oauth',
    provider: 'google',
    accountId: `id of ${email}`,
    profile: { id: `id of ${email}`, email, emailVerified: true },
    createdAt: 0,
    lastUsedAt,
  }
}
const mara: User = {
  id: 'u1',
  username: null,
  email: 'mara@example.com',
  phoneNumber: null,
  metadata: {},
  createdAt: 0,
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
function accountWith(user: User | undefined, asked: () => Promise<User | undefined> = async () => undefined) {
  let questions = 0
  return {
    get questions() {
      return questions
    },
    user: {
      current: { status: user ? ('ready' as const) : ('none' as const), user },
      subscribe: () => () => {},
      refresh() {
        questions += 1
        return asked()
      },
    },
  }
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
  const account = accountWith(undefined, async () => mara)
  for (const request of [{ backup: { provider: 'icloud' } }, { backup: { provider: 'external' } }, {}])
    expect(await getDriveAccounts(account, 'backupKeyShares', request)).toEqual({})
  expect(await getDriveAccounts(account, 'reshare', { backup: { provider: 'dynamic' } })).toEqual({})
  expect(await getDriveAccounts(account, 'signMessage', { message: 'googleDrive' })).toEqual({})
  expect(account.questions).toBe(0)
})

it('allows any drive for a user without a Google account, and while the API is unreachable', async () => {
  const withoutGoogle = { ...mara, credentials: mara.credentials.slice(0, 1) }
  expect(await getDriveAccounts(accountWith(withoutGoogle), 'backupKeyShares', toDrive)).toEqual({})
  const away = accountWith(undefined, () => Promise.reject(new Error('down')))
  expect(await getDriveAccounts(away, 'backupKeyShares', toDrive)).toEqual({})
  const later = accountWith(undefined, async () => mara)
  expect(await getDriveAccounts(later, 'backupKeyShares', toDrive)).toHaveProperty('driveAccounts.length', 2)
})
