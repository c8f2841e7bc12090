import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { expect } from 'vitest'
import type { Operation } from '../matrix.js'
import { look } from '../signing.js'
import type { Stack } from '../stack.js'
import { type Change, changeShares, makeWallet } from '../wallets.js'

interface Resharing {
  readonly from: ThresholdSignatureScheme
  readonly to: Change
}

export async function resharing(stack: Stack, { from, to }: Resharing): Promise<Operation> {
  const { page } = await stack.visit()
  const address = await makeWallet(page, from)
  return {
    name: to === 'refresh' ? `refresh ${from}` : `reshare ${from} to ${to}`,
    page,
    attempt: () => changeShares(page, address, to),
    look: () => look(page, address),
    ...(to !== 'refresh' && {
      async again() {
        expect(await changeShares(page, address, from)).toHaveProperty('value')
      },
    }),
  }
}
