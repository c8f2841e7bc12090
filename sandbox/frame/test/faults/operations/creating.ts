import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { expect } from 'vitest'
import type { Operation } from '../matrix.js'
import { signs } from '../signing.js'
import type { Stack } from '../stack.js'
import { createWallet, readWallets } from '../wallets.js'

export async function creating(stack: Stack, scheme: ThresholdSignatureScheme): Promise<Operation> {
  const { page } = await stack.visit()
  let key = crypto.randomUUID()
  return {
    name: `create ${scheme}`,
    page,
    attempt: () => createWallet(page, scheme, key),
    async look() {
      const wallets = await readWallets(page)
      // Each wallet was created once, and is whole.
      expect(wallets.map(({ here, backup }) => [here, backup.state])).toEqual(wallets.map(() => [true, 'current']))
      const newest = wallets.toSorted((a, b) => b.createdAt - a.createdAt)[0]
      if (newest) await signs(page, newest.accountAddress)
      return `${wallets.length}`
    },
    async again() {
      key = crypto.randomUUID()
    },
  }
}
