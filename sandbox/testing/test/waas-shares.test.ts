import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, refreshShares, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

it('[S1.10] refreshes the shares: the address stays, the epoch and the backup are new', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'refresh@example.com')
  const { address, backup } = await createWallet(visitor)
  await page.getByText('0 · the first parts').waitFor()
  const next = await refreshShares(visitor, '2 of 3')
  expect(next?.equals(backup ?? Buffer.alloc(0))).toBe(false)
  await page.getByText('1 · older parts are worthless').waitFor()
  await signMessage(visitor, 'With new parts')
  expect(await activeAddress(visitor)).toBe(address)
  await page.reload()
  await signMessage(visitor, 'And after a reload')
})
