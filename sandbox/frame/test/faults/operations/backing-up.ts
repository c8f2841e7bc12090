import { expect } from 'vitest'
import type { Operation } from '../matrix.js'
import { look } from '../signing.js'
import type { Stack } from '../stack.js'
import { backUp, getWallet, makeWallet } from '../wallets.js'

/** Backs up from the product API to the drive, so that both take part. */
export async function backingUp(stack: Stack): Promise<Operation> {
  const { page } = await stack.visit()
  const address = await makeWallet(page, 'TWO_OF_THREE')
  return {
    name: 'back up',
    page,
    attempt: () => backUp(page, address),
    async look() {
      expect((await getWallet(page, address)).backup).toMatchObject({ state: 'current' })
      return look(page, address)
    },
  }
}
