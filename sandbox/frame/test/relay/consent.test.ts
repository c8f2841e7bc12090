/** A hidden frame signs only what the user agreed to in this browser, whatever page and relays say. */
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import type { Device } from './device.js'
import { refusing, withLie } from './liar.js'
import { openWallet, operator, setUpRelays } from './wallet.js'

setUpRelays()

const HOUR_MS = 3_600_000
const asks = { code: 'consent_required' }
const SYSTEM = SystemProgram.programId.toBase58()
/** A policy that lets R1 sign everything without the user. */
const everything = { programs: [{ programId: SYSTEM }], messages: true }

function transfer(address: string, lamports: number, ...more: Transaction['instructions']): string {
  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: Keypair.generate().publicKey.toBase58() })
  transaction.add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports }),
    ...more,
  )
  return transaction.serialize({ requireAllSignatures: false }).toString('base64')
}

/** Opens a wallet in which R1 is the only relay. */
async function open() {
  const { device, accountAddress, list } = await openWallet('TWO_OF_TWO')
  const [{ setId } = { setId: '' }] = await device.kept()
  const paths: string[] = []
  device.intercept = (path, send) => {
    paths.push(path)
    return send()
  }
  const pay = (lamports: number, visible = false) =>
    device.send(
      'signTransaction',
      { senderAddress: accountAddress, transaction: transfer(accountAddress, lamports) },
      visible,
    )
  const say = (visible = false) => device.send('signMessage', { accountAddress, message: 'hello' }, visible)
  const setPolicy = (policy: Parameters<typeof device.send<'setPolicy'>>[1]['policy'], visible = false) =>
    device.send('setPolicy', { accountAddress, setId, policy }, visible)
  return { device, accountAddress, setId, list, paths, pay, say, setPolicy }
}

/** Lets the user tick the offer of the next window. */
async function withGrant<T>(device: Device, sol: string, act: () => Promise<T>): Promise<T> {
  device.grant = sol
  try {
    return await act()
  } finally {
    device.grant = undefined
  }
}

it('a transfer that a policy signs unasked leaves its recipient new, and one that the user saw does not', async () => {
  const { device, accountAddress } = await open()
  const kept: string[] = []
  const { keepRecipients } = device.store
  device.store.keepRecipients = async (sender, addresses, now) => {
    kept.push(...addresses)
    await keepRecipients(sender, addresses, now)
  }
  const send = (transaction: string, visible: boolean) =>
    device.send('signTransaction', { senderAddress: accountAddress, transaction }, visible)
  await withGrant(device, '0.1', () => send(transfer(accountAddress, 1), true))
  expect(kept).toHaveLength(1)
  await send(transfer(accountAddress, 1), false)
  expect(kept).toHaveLength(1)
})

describe('a page and an R1 that demands no consent', () => {
  it('get no signature from a hidden frame, which does not even ask R1', async () => {
    const { pay, say, setId, paths, accountAddress, device } = await open()
    await operator.setPolicy(setId, everything)
    await expect(say()).rejects.toMatchObject(asks)
    await expect(pay(1)).rejects.toMatchObject(asks)
    const raw = { accountAddress, message: '00'.repeat(32) }
    await expect(device.send('signRawMessage', raw, false)).rejects.toMatchObject(asks)
    expect(paths.filter(path => path.endsWith('/sign'))).toEqual([])
    expect((await say(true)).signature).toHaveLength(64)
  })

  it('get no more than a grant allows, in any 24 hours', async () => {
    const { pay, say, device, setId } = await open()
    await withGrant(device, '0.000001', () => pay(1, true))
    await operator.setPolicy(setId, everything)
    device.grant = undefined
    // 1,000 lamports a day cannot pay a fee of 5,000.
    await expect(pay(1)).rejects.toMatchObject({
      ...asks,
      details: { rule: 'daily-limit', limit: '1000', wanted: '5001' },
    })
    await withGrant(device, '0.00002', () => pay(1, true))
    await operator.setPolicy(setId, everything)
    await pay(3_000)
    await pay(3_000)
    await expect(pay(3_000)).rejects.toMatchObject(asks)
    await expect(say()).rejects.toMatchObject(asks)
    device.skewMs += 26 * HOUR_MS
    await expect(pay(20_000)).rejects.toMatchObject(asks)
  })

  it('get no fee above the grant by a price that is one byte longer, which the chain reads too', async () => {
    const { pay, device, paths, accountAddress } = await open()
    await withGrant(device, '0.001', () => pay(1, true))
    paths.length = 0
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1e12 })
    const longer = { ...price, data: Buffer.concat([price.data, Buffer.of(0)]) }
    for (const instruction of [price, longer]) {
      const transaction = transfer(accountAddress, 1, instruction)
      const signing = device.send('signTransaction', { senderAddress: accountAddress, transaction }, false)
      await expect(signing).rejects.toMatchObject(asks)
    }
    expect(paths).toEqual([])
  })

  it('get nothing more once the user has ended the grant, even if R1 keeps it', async () => {
    const { pay, device, setPolicy } = await open()
    await withGrant(device, '1', () => pay(1, true))
    await pay(1)
    await expect(withLie(device, refusing('/policy', 'busy', 'before'), () => setPolicy(null))).rejects.toMatchObject({
      code: 'busy',
    })
    await expect(pay(1)).rejects.toMatchObject(asks)
  })
})

describe('a grant', () => {
  it('is set with the signature in one window, signs transfers unasked, and ends without a window', async () => {
    const { pay, say, device, list, setPolicy, paths } = await open()
    await withGrant(device, '0.5', () => pay(1, true))
    expect(device.agreed).toEqual(['Sign this transaction?'])
    expect(paths.filter(path => /(sign|policy)$/.test(path))).toHaveLength(2)
    expect((await list())?.policy).toMatchObject({ dailyLimit: 500_000_000n, otherwise: 'ask', messages: false })
    await pay(400_000_000)
    await expect(pay(400_000_000)).rejects.toMatchObject(asks)
    await expect(say()).rejects.toMatchObject(asks)
    expect((await setPolicy(null)).wallet.policy).toBeUndefined()
    await expect(pay(1)).rejects.toMatchObject(asks)
    expect((await pay(1, true)).signedTransaction).toBeTruthy()
  })

  it('that the relays refuse leaves the signature, and the user reads that the wallet asks again', async () => {
    const { pay, device } = await open()
    const signing = withLie(device, refusing('/policy', 'busy', 'before'), () =>
      withGrant(device, '0.5', () => pay(1, true)),
    )
    expect((await signing).signedTransaction).toBeTruthy()
    expect(device.agreed).toEqual(['Sign this transaction?', 'Signed'])
    await expect(pay(1)).rejects.toMatchObject(asks)
  })

  it('is not set if the relays refuse the signature', async () => {
    const { pay, device, list } = await open()
    const signing = withLie(device, refusing('/sign', 'busy', 'before'), () =>
      withGrant(device, '0.5', () => pay(1, true)),
    )
    await expect(signing).rejects.toMatchObject({ code: 'busy' })
    expect((await list())?.policy).toBeUndefined()
    await expect(pay(1)).rejects.toMatchObject(asks)
  })

  it('is neither set nor changed by a page without the window', async () => {
    const { setPolicy, device, pay, paths } = await open()
    const grant = { dailyLimit: 5n, programs: [], messages: false, otherwise: 'ask' } as const
    await expect(setPolicy(grant)).rejects.toMatchObject(asks)
    await withGrant(device, '0.5', () => pay(1, true))
    paths.length = 0
    await expect(setPolicy(grant)).rejects.toMatchObject(asks)
    await expect(setPolicy({ programs: [], messages: true })).rejects.toMatchObject(asks)
    expect(paths).toEqual([])
    await pay(1)
  })
})

describe('a policy of the user', () => {
  it('signs unasked what it allows, and a page cannot end it without the window', async () => {
    const { setPolicy, pay, say } = await open()
    const programs = [{ programId: SYSTEM, instructions: ['02000000'] }]
    await setPolicy({ dailyLimit: 1_000_000n, programs, messages: true }, true)
    await pay(1)
    expect((await say()).signature).toHaveLength(64)
    await expect(pay(2_000_000)).rejects.toMatchObject({ code: 'policy_refused', details: { rule: 'daily-limit' } })
    await expect(pay(2_000_000, true)).rejects.toMatchObject({ code: 'policy_refused' })
    await expect(setPolicy(null)).rejects.toMatchObject(asks)
    expect((await say()).signature).toHaveLength(64)
  })
})
