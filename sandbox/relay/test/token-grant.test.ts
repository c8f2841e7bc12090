/** Grants of tokens: exact transfers of the tokens that the user named, up to an amount a day of each. */
import { startChain } from '@keybay/sandbox-chain'
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { isSoundGrant, isWithin, type Policy, policySchema } from '../src/policy/index.js'
import {
  changeSet,
  create,
  grantBeside,
  join,
  messageOf,
  ok,
  only,
  openAccount,
  refusal,
  sendToken,
  sign,
  TOKEN,
  TOKEN_2022,
  tokenGrantOf,
  type Wallet,
} from './frame/index.js'
import { createOperator } from './operator.js'
import { startWorld } from './world.js'

const chain = await startChain({ port: 0 })
const operator = createOperator()
const world = await startWorld({ environment: { rpcUrl: chain.url }, r1: { openDatabase: operator.openDatabase } })
const r1 = only(world.r1)
afterAll(async () => {
  await world.stop()
  await chain.stop()
})

const SOL = 1_000_000_000n
/** 25 of a token with 6 decimals. */
const LIMIT = 25_000_000n
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

/** Returns the mint of a demo token. */
async function mintOf(order: { symbol: string; decimals?: number; program?: string; feature?: string }) {
  const body = JSON.stringify({ owner: Keypair.generate().publicKey.toBase58(), ...order })
  const response = await fetch(`${chain.url}/admin/mint`, { method: 'POST', body })
  const { mint }: { mint: string } = await response.json()
  return mint
}
const usd = await mintOf({ symbol: 'USD' })
const other = await mintOf({ symbol: 'OTHER' })
const newer = await mintOf({ symbol: 'NEW', program: 'spl-token-2022' })

function pay(wallet: Wallet, ...instructions: TransactionInstruction[]) {
  return sign(r1, wallet, messageOf(wallet.address, ...instructions), { kind: 'transaction', consent: false })
}

function send({ address }: Wallet, amount: bigint, more: Partial<Parameters<typeof sendToken>[1]> = {}) {
  return sendToken(address, { mint: usd, amount, ...more })
}

function setPolicy(wallet: Wallet, policy: object | null, consent = true) {
  return changeSet(r1, wallet, wallet.setId, 'policy', { policy }, consent)
}

/** Creates a wallet with a grant of 1 SOL and 25 of the token a day. */
async function createGranted(scheme?: 'TWO_OF_THREE' | 'THREE_OF_FIVE', sol = SOL) {
  const wallet = await create(r1, await world.user(), { ...(scheme && { scheme }) })
  const policy = tokenGrantOf(sol, [usd, 6, LIMIT])
  ok(await grantBeside(r1, wallet, messageOf(wallet.address, send(wallet, 1n)), policy))
  return { ...wallet, policy }
}

const shared = createGranted()

function asks(rule: string, facts: object = {}) {
  return refusal(403, 'consent_required', { rule, ...facts })
}

describe('a grant of a token', () => {
  it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'signs its transfers unasked, with new accounts of recipients, until many small ones reach the amount (%s)',
    async scheme => {
      const wallet = await createGranted(scheme)
      const to = Keypair.generate().publicKey
      ok(await pay(wallet, openAccount(wallet.address, to, usd), send(wallet, 10_000_000n, { to })))
      for (let count = 0; count < 3; count++) ok(await pay(wallet, send(wallet, 5_000_000n)))
      const facts = { address: usd, decimals: 6, limit: String(LIMIT), wanted: String(LIMIT + 1n) }
      expect(await pay(wallet, send(wallet, 1n))).toMatchObject(asks('token-limit', facts))
      ok(await pay(wallet, SystemProgram.transfer(transferOf(wallet))))
    },
  )

  const hook = Keypair.generate().publicKey
  const account = Keypair.generate().publicKey
  const stranger = Keypair.generate().publicKey
  it.each<[string, string, (wallet: Wallet) => TransactionInstruction[]]>([
    ['another mint', 'token', wallet => [send(wallet, 1n, { mint: other })]],
    ['other decimals', 'token', wallet => [send(wallet, 1n, { decimals: 9 })]],
    ['two transfers that exceed the amount together', 'token-limit', wallet => [send(wallet, LIMIT), send(wallet, 1n)]],
    ['a sum above 64 bits', 'token-limit', wallet => [send(wallet, 2n ** 64n - 1n), send(wallet, 2n)]],
    ['another mint beside its own', 'token', wallet => [send(wallet, 1n), send(wallet, 1n, { mint: other })]],
    ['accounts for a hook', 'token', wallet => [send(wallet, 1n, { programId: TOKEN_2022, more: [hook] })]],
    ['tokens that another key signs for', 'token', wallet => [send(wallet, 1n, { authority: hook })]],
    ['an account that no transfer goes to', 'token', wallet => [openAccount(wallet.address, account, usd)]],
    [
      'an account of another recipient than the transfer’s',
      'token',
      wallet => [openAccount(wallet.address, account, usd), send(wallet, 1n, { to: stranger })],
    ],
    [
      'an account for another mint',
      'token',
      wallet => [openAccount(wallet.address, account, other), send(wallet, 1n, { to: account })],
    ],
    ['wrapped SOL', 'token', wallet => [send(wallet, 1n, { mint: WRAPPED_SOL, decimals: 9 })]],
    [
      'more SOL than allowed beside it',
      'daily-limit',
      wallet => [send(wallet, 1n), SystemProgram.transfer({ ...transferOf(wallet), lamports: SOL })],
    ],
    ...[3, 4, 6, 8, 9, 13, 26].map((number): [string, string, (wallet: Wallet) => TransactionInstruction[]] => [
      `token instruction ${number}`,
      'instruction',
      wallet => {
        const instruction = send(wallet, 1n)
        return [Object.assign(instruction, { data: instruction.data.with(0, number) })]
      },
    ]),
  ])('asks about %s, by the rule %s', async (_, rule, getInstructions) => {
    const wallet = await shared
    expect(await pay(wallet, ...getInstructions(wallet))).toMatchObject(asks(rule))
  })

  it('counts the accounts that it creates as SOL', async () => {
    const wallet = await createGranted('TWO_OF_THREE', 3_000_000n)
    const open = () => {
      const to = Keypair.generate().publicKey
      return [openAccount(wallet.address, to, usd), send(wallet, 1n, { to })]
    }
    ok(await pay(wallet, ...open()))
    expect(await pay(wallet, ...open())).toMatchObject(asks('daily-limit'))
  })

  it('counts what the devices of a wallet send together, also at the same time', async () => {
    const primary = await createGranted()
    const devices: Wallet[] = [primary]
    for (let count = 0; count < 2; count++) devices.push((await join(r1, primary)).joined)
    const answers = await Promise.all(devices.map(device => pay(device, send(device, 20_000_000n))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    for (const device of devices)
      expect(await pay(device, send(device, 20_000_000n))).toMatchObject(asks('token-limit'))
  })

  it('ends in every browser in which the first device ends it, and another mint starts at nothing', async () => {
    const primary = await createGranted()
    const { joined } = await join(r1, primary)
    ok(await pay(joined, send(joined, 1n)))
    ok(await changeSet(r1, primary, joined.setId, 'policy', { policy: null }))
    expect(await pay(joined, send(joined, 1n))).toMatchObject(asks('consent'))
    ok(await pay(primary, send(primary, LIMIT - 1n)))
    ok(await setPolicy(primary, tokenGrantOf(SOL, [usd, 6, LIMIT], [newer, 6, LIMIT])))
    expect(await pay(primary, send(primary, 1n))).toMatchObject(asks('token-limit'))
    ok(await pay(primary, send(primary, LIMIT, { mint: newer, programId: TOKEN_2022 })))
  })

  it('holds at R2 when R1 enforces a larger one', async () => {
    const wallet = await createGranted('THREE_OF_FIVE')
    await operator.setPolicy(wallet.setId, sound(tokenGrantOf(SOL, [usd, 6, LIMIT * 4n])))
    ok(await pay(wallet, send(wallet, LIMIT)))
    expect(await pay(wallet, send(wallet, 1n))).toMatchObject(asks('token-limit'))
  })
})

function transferOf({ address }: Wallet) {
  return { fromPubkey: new PublicKey(address), toPubkey: Keypair.generate().publicKey, lamports: 1_000n }
}

it('a grant of a token allows its amount again after 24 hours', async () => {
  const wallet = await createGranted()
  ok(await pay(wallet, send(wallet, LIMIT)))
  expect(await pay(wallet, send(wallet, 1n))).toMatchObject(asks('token-limit'))
  world.advance(25 * 3_600_000)
  await world.refresh(wallet.user)
  ok(await pay(wallet, send(wallet, LIMIT)))
})

describe('a relay grants', () => {
  it('only tokens with the decimals of their mint, whose transfers move what they say', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const fee = await mintOf({ symbol: 'FEE', program: 'spl-token-2022', feature: 'transfer-fee' })
    const bound = await mintOf({ symbol: 'BOUND', program: 'spl-token-2022', feature: 'non-transferable' })
    const refused: (readonly [string, number])[] = [
      [usd, 9],
      [usd, 0],
      [fee, 6],
      [bound, 6],
      [wallet.address, 6],
    ]
    for (const [mint, decimals] of refused) {
      const policy = tokenGrantOf(SOL, [newer, 6, 1n], [mint, decimals, 1n])
      const facts = { reason: 'token', address: mint }
      expect(await setPolicy(wallet, policy)).toMatchObject(refusal(400, 'invalid_request', facts))
    }
    ok(await setPolicy(wallet, tokenGrantOf(SOL, [newer, 6, 1n], [usd, 6, 1n])))
  })

  it.each<[string, (grant: Grant) => object]>([
    ['wrapped SOL', () => tokenGrantOf(SOL, [WRAPPED_SOL, 9, 1n])],
    ['the same mint twice', () => tokenGrantOf(SOL, [usd, 6, 1n], [usd, 6, 2n])],
    ['nine tokens', () => tokenGrantOf(SOL, ...Array.from({ length: 9 }, () => [newMint(), 6, 1n] as const))],
    ['an empty list', grant => ({ ...grant, tokens: [] })],
    ['an amount above 64 bits', () => tokenGrantOf(SOL, [usd, 6, 2n ** 64n])],
    ['a policy that refuses the rest', ({ otherwise, origin, ...closed }) => closed],
    ['all instructions of tokens', grant => ({ ...grant, programs: [{ programId: TOKEN }] })],
    ['approvals', grant => ({ ...grant, programs: [{ programId: TOKEN, instructions: ['0d'] }] })],
  ])('no tokens with %s', (_, change) => {
    const policy = change(tokenGrantOf(SOL, [usd, 6, 1n]))
    expect(v.is(policySchema, policy) && isSoundGrant(policy)).toBe(false)
  })

  const now = sound(tokenGrantOf(SOL, [usd, 6, 5n]))
  it.each<[string, boolean, Policy]>([
    ['a smaller amount', true, sound(tokenGrantOf(SOL, [usd, 6, 4n]))],
    ['a larger amount', false, sound(tokenGrantOf(SOL, [usd, 6, 6n]))],
    ['other decimals', false, sound(tokenGrantOf(SOL, [usd, 5, 5n]))],
    ['another token', false, sound(tokenGrantOf(SOL, [usd, 6, 5n], [other, 6, 1n]))],
  ])('a change to %s only takes permissions away: %s', (_, within, next) => {
    expect(isWithin(next, now)).toBe(within)
  })
})

type Grant = ReturnType<typeof tokenGrantOf>

function newMint() {
  return Keypair.generate().publicKey.toBase58()
}

function sound(grant: Grant): Policy {
  const policy: Policy = { ...grant, otherwise: 'ask' }
  expect(isSoundGrant(policy)).toBe(true)
  return policy
}
