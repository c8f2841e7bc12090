/** Tests the memory of recipients. */
import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { openShareStore } from '../../src/page/store/share-store.js'

const MAX = 500
const SENDER = ['ann', '0xa', 'EVM 1'] as const

it('knows a recipient only for the user, account and network that sent there', async () => {
  const store = openShareStore(crypto.randomUUID())
  await store.keepRecipients(SENDER, ['0xf'], 1)
  expect(await store.isRecipient(SENDER, '0xf')).toBe(true)
  for (const other of [
    ['bob', '0xa', 'EVM 1'],
    ['ann', '0xb', 'EVM 1'],
    ['ann', '0xa', 'EVM 10'],
  ] as const)
    expect([other, await store.isRecipient(other, '0xf')]).toEqual([other, false])
})

it('keeps the newest 500 recipients of an account, and those of other accounts', async () => {
  const store = openShareStore(crypto.randomUUID())
  const other = ['ann', '0xb', 'EVM 1'] as const
  await store.keepRecipients(other, ['0xf'], 0)
  await store.keepRecipients(SENDER, ['first'], 1)
  await store.keepRecipients(
    SENDER,
    Array.from({ length: MAX }, (_, index) => `a${index}`),
    2,
  )
  expect(await store.isRecipient(SENDER, 'first')).toBe(false)
  expect(await store.isRecipient(SENDER, 'a0')).toBe(true)
  expect(await store.isRecipient(SENDER, `a${MAX - 1}`)).toBe(true)
  expect(await store.isRecipient(other, '0xf')).toBe(true)
})
