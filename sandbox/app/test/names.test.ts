import type { User, UserCredential } from '@keybay/account'
import { userName } from '@keybay/account/ui'
import { expect, it } from 'vitest'
import { providerInSentence } from '../src/embedded/backup-notes.js'

const SOME = { id: 'c', createdAt: 0, lastUsedAt: 0 } as const
function user(credential: Pick<UserCredential, 'method'> & Partial<UserCredential>, more: Partial<User> = {}): User {
  const none: Omit<User, 'id' | 'credentials' | 'mfa'> = {
    username: null,
    email: null,
    phoneNumber: null,
    metadata: {},
    step: 'done',
    createdAt: 0,
    lastSignInAt: 0,
  }
  return {
    id: 'u',
    ...none,
    credentials: [{ ...SOME, ...credential }],
    mfa: { devices: [], recoveryCodes: 0 },
    ...more,
  }
}

it('calls a user by the name that the user gave or that the provider knows, before any address', () => {
  expect(userName(user({ method: 'passkey', name: 'Grace' }))).toBe('Grace')
  const profile = { id: '1', emailVerified: true, name: 'Ann Archer', email: 'ann@people.example' }
  const ann = user({ method: 'oauth', provider: 'google', profile }, { email: 'ann@people.example' })
  expect(userName(ann)).toBe('Ann Archer')
  expect(userName({ ...ann, username: 'ann' })).toBe('ann')
  expect(userName(user({ method: 'email', email: 'ada@example.com' }, { email: 'ada@example.com' }))).toBe(
    'ada@example.com',
  )
})

it('writes the place of a backup as it stands in a sentence', () => {
  expect(providerInSentence('external')).toBe('a file')
  expect(providerInSentence('dynamic')).toBe('this service')
  expect(providerInSentence('googleDrive')).toBe('Google Drive')
})
