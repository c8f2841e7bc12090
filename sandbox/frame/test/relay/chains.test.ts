/** Tests what accounts of each chain refuse; the README of `@keybay/waas` has the table. Frame and relays are real. */
import { CHAINS, type Chain } from '@keybay/kernel/spec'
import { createDelegateKeys, listingOf } from '@keybay/waas/delegate'
import bs58 from 'bs58'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Device } from './device.js'
import { openBrowser, setUpRelays } from './wallet.js'

const listing = listingOf('Salaries', await createDelegateKeys())
setUpRelays([listing])

const POLICY = { programs: [], messages: true }
const SCHEME = { thresholdSignatureScheme: 'TWO_OF_TWO' } as const
const TYPED = JSON.stringify({
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  domain: { name: 'Exchange', chainId: 1 },
  message: { amount: '1' },
})
const UNSUPPORTED = { code: 'unsupported_chain' }

interface Account {
  readonly chainName: Chain
  readonly accountAddress: string
}
const OPERATIONS = {
  importPrivateKey: (device: Device, { chainName }: Account) =>
    device.send('importPrivateKey', {
      ...SCHEME,
      chainName,
      privateKey: bs58.encode(crypto.getRandomValues(new Uint8Array(32))),
    }),
  delegateKeyShares: (device: Device, account: Account) =>
    device.send('delegateKeyShares', {
      ...account,
      delegatePublicKey: new Uint8Array(Buffer.from(listing.sealingKey, 'base64url')),
      delegateName: listing.name,
      policy: POLICY,
    }),
  signRawMessage: (device: Device, account: Account) =>
    device.send('signRawMessage', { ...account, message: '0a'.repeat(32) }),
  signMessage: (device: Device, account: Account) => device.send('signMessage', { ...account, message: 'hello' }),
  signTypedData: (device: Device, account: Account) => device.send('signTypedData', { ...account, typedData: TYPED }),
}
type Operation = keyof typeof OPERATIONS

interface Refusals {
  readonly row: string
  readonly chain: Chain
  readonly operations: readonly Operation[]
}
const REFUSALS: readonly Refusals[] = [
  { row: 'S12.1', chain: 'EVM', operations: ['importPrivateKey', 'delegateKeyShares', 'signRawMessage'] },
  {
    row: 'S12.2',
    chain: 'BTC',
    operations: ['importPrivateKey', 'delegateKeyShares', 'signRawMessage', 'signMessage', 'signTypedData'],
  },
  { row: 'S12.3', chain: 'SOL', operations: ['signTypedData'] },
]

async function openAccount(chainName: Chain) {
  const { device } = await openBrowser()
  const { wallet } = await device.send('createWalletAccount', { ...SCHEME, chainName })
  const { accountAddress, setId } = wallet
  const account: Account = { chainName, accountAddress }
  return { device, account, setId }
}

describe.each(REFUSALS)('an account of $chain', ({ row, chain, operations }) => {
  let opened: Awaited<ReturnType<typeof openAccount>>
  const requests: string[] = []
  beforeAll(async () => {
    opened = await openAccount(chain)
  })
  beforeEach(() => {
    requests.length = 0
    opened.device.agreed.length = 0
    opened.device.intercept = (path, send) => {
      requests.push(path)
      return send()
    }
  })

  it.each(operations)(
    `[${row}] an account of ${chain} refuses %s before it asks the user or a relay`,
    async operation => {
      const { device, account } = opened
      await expect(OPERATIONS[operation](device, account)).rejects.toMatchObject(UNSUPPORTED)
      expect([...device.agreed, ...requests]).toEqual([])
    },
  )

  if (chain === 'SOL') return
  it(`[${row}] an account of ${chain} refuses setPolicy`, async () => {
    const { device, account, setId } = opened
    const setting = device.send('setPolicy', { ...account, setId, policy: POLICY })
    await expect(setting).rejects.toMatchObject({ code: 'policy_unsupported' })
  })
  it(`[${row}] an account of ${chain} refuses the operations of Solana when a page calls it a Solana account`, async () => {
    const { device, account } = opened
    const disguised: Account = { ...account, chainName: 'SOL' }
    for (const operation of ['delegateKeyShares', 'signRawMessage', 'signMessage'] as const)
      await expect(OPERATIONS[operation](device, disguised)).rejects.toThrow()
    const [wallet] = await device.send('getWallets', { chainName: chain })
    expect(wallet?.sets).toHaveLength(1)
  })
})

it.each(CHAINS.filter(chain => chain !== 'SOL' && chain !== 'EVM' && chain !== 'BTC'))(
  '[S12.3] createWalletAccount refuses a wallet of %s, and creates none',
  async chainName => {
    const { device, list } = await openBrowser()
    await expect(device.send('createWalletAccount', { ...SCHEME, chainName })).rejects.toMatchObject(UNSUPPORTED)
    expect(await list()).toBeUndefined()
  },
)
