/** A hidden frame sends only the tokens that the user named in this browser, whatever page and relays say. */
import { startChain } from '@keybay/sandbox-chain'
import { ASSOCIATED, openAccount, sendToken, TOKEN, TOKEN_2022 } from '@keybay/sandbox-relay/testing/frame/index'
import { parseTransaction } from '@keybay/waas/relay-client'
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, describe, expect, it } from 'vitest'
import { describeTransaction } from '../../src/page/chains/solana/describe.js'
import { openWallet, operator, setUpRelays } from './wallet.js'

const chain = await startChain({ port: 0 })
setUpRelays([], chain.url)
afterAll(() => chain.stop())

const asks = { code: 'consent_required' }
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

async function mintOf(symbol: string, more: object = {}): Promise<string> {
  const body = JSON.stringify({ owner: Keypair.generate().publicKey.toBase58(), symbol, ...more })
  const { mint } = await (await fetch(`${chain.url}/admin/mint`, { method: 'POST', body })).json()
  return mint
}
const usd = await mintOf('USD')
const other = await mintOf('OTHER')

function newKey(): PublicKey {
  return Keypair.generate().publicKey
}

function build(address: string, instructions: readonly TransactionInstruction[]): string {
  const transaction = new Transaction({ feePayer: new PublicKey(address), recentBlockhash: newKey().toBase58() })
  transaction.add(...instructions)
  return transaction.serialize({ requireAllSignatures: false }).toString('base64')
}

async function open() {
  const { device, accountAddress, list } = await openWallet('TWO_OF_TWO')
  const [{ setId } = { setId: '' }] = await device.kept()
  const paths: string[] = []
  device.intercept = (path, send) => {
    paths.push(path)
    return send()
  }
  const sign = (instructions: readonly TransactionInstruction[], visible = false) =>
    device.send(
      'signTransaction',
      { senderAddress: accountAddress, transaction: build(accountAddress, instructions) },
      visible,
    )
  const transfer = (amount: bigint, more: Partial<Parameters<typeof sendToken>[1]> = {}) =>
    sendToken(accountAddress, { mint: usd, amount, ...more })
  return {
    device,
    setId,
    address: accountAddress,
    list,
    sign,
    transfer,
    paths,
    /** Signs in the window, whose offer the user takes. */
    async grant(instructions: readonly TransactionInstruction[], sol: string, token?: string) {
      Object.assign(device, { grant: sol, tokenGrant: token })
      await sign(instructions, true)
      Object.assign(device, { grant: undefined, tokenGrant: undefined })
    },
    /** Makes R1 sign everything without the user. */
    async corrupt(): Promise<void> {
      const programs = [SystemProgram.programId.toBase58(), TOKEN, TOKEN_2022, ASSOCIATED].map(programId => ({
        programId,
      }))
      await operator.setPolicy(setId, { programs, messages: true })
    },
    endElsewhere: () => operator.setPolicy(setId, null),
  }
}

describe('a grant of a token', () => {
  it('is offered with the amount a day, and signs transfers unasked until many of them reach it', async () => {
    const { grant, sign, transfer, list, device, address } = await open()
    await grant([transfer(1n)], '0.1', '25')
    expect(device.agreed).toEqual(['Sign this transaction?'])
    const [token] = [{ mint: usd, decimals: 6, dailyLimit: 25_000_000n }]
    expect((await list())?.policy).toMatchObject({ dailyLimit: 100_000_000n, otherwise: 'ask', tokens: [token] })
    const to = newKey()
    await sign([openAccount(address, to, usd), transfer(10_000_000n, { to })])
    await sign([transfer(5_000_000n), transfer(5_000_000n)])
    await sign([transfer(5_000_000n)])
    await expect(sign([transfer(1n)])).rejects.toMatchObject({
      ...asks,
      details: { rule: 'token-limit', address: usd, limit: '25000000', wanted: '25000001' },
    })
    device.skewMs += 26 * 3_600_000
    await expect(sign([transfer(25_000_001n)])).rejects.toMatchObject(asks)
  })

  it('keeps its tokens when the user grants another one, and asks about the rest', async () => {
    const { grant, sign, transfer, list, address } = await open()
    await grant([transfer(1n)], '0.1', '25')
    const to = { fromPubkey: new PublicKey(address), toPubkey: newKey(), lamports: 1 }
    await grant([SystemProgram.transfer(to)], '0.2')
    const token = { mint: usd, decimals: 6, dailyLimit: 25_000_000n }
    expect((await list())?.policy).toMatchObject({ dailyLimit: 200_000_000n, tokens: [token] })
    await grant([transfer(1n, { mint: other })], '0.2', '3')
    expect((await list())?.policy?.tokens).toEqual([
      { mint: usd, decimals: 6, dailyLimit: 3_000_000n },
      { mint: other, decimals: 6, dailyLimit: 3_000_000n },
    ])
    await sign([transfer(3_000_000n, { mint: other })])
    await expect(sign([transfer(1n, { mint: other })])).rejects.toMatchObject(asks)
  })

  it('binds the frame to it when R1 signs everything', async () => {
    const { grant, sign, transfer, corrupt, paths, address } = await open()
    await grant([transfer(1n)], '0.003', '25')
    await corrupt()
    paths.length = 0
    const [account, hook] = [newKey(), newKey()]
    const attempts: readonly (readonly TransactionInstruction[])[] = [
      [transfer(1n, { mint: other })],
      [transfer(1n, { decimals: 9 })],
      [transfer(1n), transfer(1n, { mint: other })],
      [transfer(20_000_000n), transfer(20_000_000n)],
      [transfer(1n, { more: [hook], programId: TOKEN_2022 })],
      [transfer(1n, { authority: hook })],
      [transfer(1n, { mint: WRAPPED_SOL, decimals: 9 })],
      [openAccount(address, account, usd)],
      [openAccount(address, account, usd), transfer(1n)],
      [openAccount(address, account, other), transfer(1n, { to: account })],
      [openAccount(address, account, usd, TOKEN_2022), transfer(1n, { to: account })],
      ...[3, 4, 8, 9, 13].map(number => {
        const instruction = transfer(1n)
        return [Object.assign(instruction, { data: instruction.data.with(0, number) })]
      }),
    ]
    for (const instructions of attempts) await expect(sign(instructions)).rejects.toMatchObject(asks)
    expect(paths.filter(path => path.endsWith('/sign'))).toEqual([])
    await sign([openAccount(address, account, usd), transfer(1n, { to: account })])
  })

  it('ends where another browser ended it', async () => {
    const { grant, sign, transfer, endElsewhere } = await open()
    await grant([transfer(1n)], '0.1', '25')
    await endElsewhere()
    await expect(sign([transfer(1n)])).rejects.toMatchObject(asks)
  })

  it('is not offered for what it would not cover, and the user reads why the relays refuse a token with a fee', async () => {
    const { grant, transfer, list, device } = await open()
    await grant([transfer(1n), transfer(1n, { decimals: 9 })], '0.1', '25')
    await grant([transfer(1n, { mint: WRAPPED_SOL, decimals: 9 })], '0.1', '25')
    expect(device.agreed).toEqual(['Sign this transaction?', 'Sign this transaction?'])
    const fee = await mintOf('FEE', { program: 'spl-token-2022', feature: 'transfer-fee' })
    await grant([transfer(1n, { mint: fee, programId: TOKEN_2022 })], '0.1', '25')
    await grant([transfer(1n, { decimals: 5 })], '0.1', '25')
    expect(device.agreed.slice(2)).toEqual(['Sign this transaction?', 'Signed', 'Sign this transaction?', 'Signed'])
    expect((await list())?.policy).toBeUndefined()
  })
})

it('a policy of the user for tokens asks about wrapped SOL, which the frame does not count', async () => {
  const { device, address, sign, transfer, setId } = await open()
  const programs = [{ programId: TOKEN, instructions: ['0c'] }]
  const policy = { dailyLimit: 100_000_000n, programs, messages: false }
  await device.send('setPolicy', { accountAddress: address, setId, policy }, true)
  await sign([transfer(1n)])
  await expect(sign([transfer(1n, { mint: WRAPPED_SOL, decimals: 9 })])).rejects.toMatchObject(asks)
})

describe('the window', () => {
  const wallet = newKey().toBase58()
  const show = (...instructions: TransactionInstruction[]) => {
    const { parsed } = parseTransaction(Buffer.from(build(wallet, instructions), 'base64'))
    return describeTransaction(parsed).flatMap(({ lines }) => lines.map(({ label, value }) => `${label}: ${value}`))
  }

  it('names known tokens alone, and by their own decimals alone', () => {
    const send = (mint: string, decimals: number) => show(sendToken(wallet, { mint, amount: 2_500_000n, decimals }))
    expect(send(USDC, 6)).toContain('Amount: 2.5 USDC')
    expect(send(USDC, 9)).toContain('Amount: 0.0025')
    expect(send(usd, 6)).toContain('Amount: 2.5')
  })

  it('names the owner of the recipient’s account only where the same transaction proves it', () => {
    const [account, stranger] = [newKey(), newKey()]
    const opening = openAccount(wallet, account, usd)
    const owner = `To: ${opening.keys[2]?.pubkey.toBase58()}`
    const send = (mint: string, to: PublicKey) => sendToken(wallet, { mint, amount: 1n, to })
    expect(show(opening, send(usd, account))).toContain(owner)
    for (const transfer of [send(usd, stranger), send(other, account)])
      expect(show(opening, transfer)).not.toContain(owner)
  })
})
