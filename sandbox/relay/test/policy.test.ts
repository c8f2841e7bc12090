/** The policy engine: allowed requests, and a table of ways around a policy, each refused by the named rule. */

import vectors from '@keybay/waas/vectors/messages.json' with { type: 'json' }
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  decideClosed,
  decideOpen,
  isSoundGrant,
  isWithin,
  SOL as LAMPORTS,
  type Policy,
  policySchema,
  Refusal,
  readTransaction,
} from '../src/policy/index.js'
import { toHex } from '../src/policy/policy.js'
import { text } from './frame/request.js'

const SOL = 1_000_000_000n
const wallet = Keypair.generate().publicKey
const friend = Keypair.generate().publicKey
const stranger = Keypair.generate().publicKey
const recentBlockhash = Keypair.generate().publicKey.toBase58()
const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const MEMO_1 = new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo')
const SYSTEM = SystemProgram.programId.toBase58()
const BUDGET = ComputeBudgetProgram.programId.toBase58()
const foreign = Keypair.generate().publicKey

type Version = 'legacy' | 0

function compile(
  instructions: TransactionInstruction[],
  {
    version = 'legacy',
    payer = wallet,
    tables = [],
  }: { version?: Version; payer?: PublicKey; tables?: AddressLookupTableAccount[] } = {},
): Uint8Array {
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash, instructions })
  return version === 0
    ? message.compileToV0Message(tables).serialize()
    : new Uint8Array(message.compileToLegacyMessage().serialize())
}

function pay(lamports: bigint, to = friend, from = wallet) {
  return SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })
}

function token(data: number[], ...accounts: PublicKey[]) {
  return new TransactionInstruction({
    programId: TOKEN,
    keys: accounts.map(pubkey => ({ pubkey, isSigner: pubkey.equals(wallet), isWritable: true })),
    data: Buffer.from(data),
  })
}

function call(programId: PublicKey, data: number[] = []) {
  return new TransactionInstruction({
    programId,
    keys: [{ pubkey: wallet, isSigner: true, isWritable: true }],
    data: Buffer.from(data),
  })
}

function u64(value: bigint) {
  return [...new Uint8Array(new BigUint64Array([value]).buffer)]
}

const strict: Policy = {
  dailyLimit: SOL.toString(),
  transactionLimit: (SOL / 2n).toString(),
  programs: [{ programId: SYSTEM, instructions: ['02000000'] }, { programId: BUDGET }, { programId: TOKEN.toBase58() }],
  destinations: [friend.toBase58()],
  messages: false,
}
interface Given {
  readonly policy?: Policy
  readonly spent?: bigint
  readonly now?: number
  readonly tables?: ReadonlyMap<string, readonly string[]>
}

/** Returns the lamports that count. */
function decide(bytes: Uint8Array, { policy = strict, spent = 0n, now = 0, tables = new Map() }: Given = {}) {
  const facts = { wallet: wallet.toBytes(), policy, getSpent: () => spent, now, ...asked }
  return decideClosed({ message: bytes, transaction: readTransaction(bytes), tables }, facts).get(LAMPORTS)
}

function decideMessage(message: Uint8Array, facts: Parameters<typeof decideClosed>[1]) {
  return decideClosed({ message, transaction: undefined, tables: new Map() }, facts)
}

/** A request of the host app, without the user's consent. */
const asked = { origins: ['https://app.example'], origin: 'https://app.example', consent: false }

function getRule(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.rule
    throw error
  }
}

describe('allowed', () => {
  it.each(['legacy', 0] as const)('allows a transfer and counts its fee (%s)', version => {
    expect(decide(compile([pay(1000n)], { version }))).toBe(6000n)
  })
  it('counts nothing that another account pays', () => {
    const other = Keypair.generate().publicKey
    const policy = { ...strict, programs: [...strict.programs, { programId: MEMO.toBase58() }] }
    const bytes = compile([pay(SOL, stranger, other), call(MEMO, [65])], { payer: other, version: 0 })
    expect(decide(bytes, { policy })).toBe(0n)
  })
  it('allows a listed program without a cap, a memo and a token account', () => {
    const policy = { ...strict, programs: [...strict.programs, { programId: foreign.toBase58(), uncapped: true }] }
    expect(decide(compile([call(foreign, [1, 2, 3])]), { policy })).toBe(5000n)
    for (const memo of [MEMO, MEMO_1])
      expect(
        decide(compile([call(memo, [65])]), { policy: { ...strict, programs: [{ programId: memo.toBase58() }] } }),
      ).toBe(5000n)
  })
  it('the relay does not start unless every program that it knows is a valid address', () => {
    expect(() => toHex('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDzCFA')).toThrow(RangeError)
    expect(v.is(policySchema, strict)).toBe(true)
  })
  it('allows keys from a lookup table', () => {
    const { bytes, tables } = payByTable(friend)
    expect(decide(bytes, { tables })).toBe(6000n)
  })
})

const nonce = Keypair.generate().publicKey
const dear = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2n ** 63n })
const legacy = compile([pay(1n)])
const nothing = compile([])

const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 }

/** Returns a payment to a key in a lookup table, and the table as the chain resolves it. */
function payByTable(to: PublicKey) {
  const key = Keypair.generate().publicKey
  const table = new AddressLookupTableAccount({ key, state: { ...state, addresses: [to] } })
  const [name, address] = [key, to].map(each => Buffer.from(each.toBytes()).toString('hex'))
  return {
    bytes: compile([pay(1000n, to)], { version: 0, tables: [table] }),
    tables: new Map([[name ?? '', [address ?? '']]]),
  }
}
const hidden = payByTable(stranger)
/** Allows all instructions of the system program. */
const system = { policy: { ...strict, programs: [{ programId: SYSTEM }] } }
const uncounted = { policy: { ...strict, programs: [{ programId: foreign.toBase58() }] } }
const wrappedSol = new PublicKey('So11111111111111111111111111111111111111112')
const authority = { noncePubkey: nonce, authorizedPubkey: wallet }
const assign = SystemProgram.assign({ accountPubkey: wallet, programId: foreign })
const allocate = SystemProgram.allocate({ accountPubkey: wallet, space: 1 })
const created = { fromPubkey: wallet, newAccountPubkey: stranger, lamports: 1, space: 0, programId: foreign }
const repeatedKey = [...legacy.subarray(0, 36), ...legacy.subarray(4, 36), ...legacy.subarray(68)]

function bySystem(...data: number[]) {
  return compile([call(SystemProgram.programId, data)])
}

describe('ways around a policy', () => {
  it.each<[string, string, Uint8Array, Given?]>([
    ['a version to come', 'version', Uint8Array.of(0x81, ...legacy)],
    ['version 127', 'version', Uint8Array.of(0xff, ...legacy)],
    ['bytes after the message', 'malformed', Uint8Array.of(...legacy, 0)],
    ['a message that breaks off', 'malformed', legacy.subarray(0, -1)],
    ['a length that is too long', 'malformed', Uint8Array.of(...legacy.subarray(0, 3), 0x83, 0, ...legacy.subarray(4))],
    ['no signer', 'malformed', legacy.with(0, 0)],
    ['more read-only signers than signers', 'malformed', legacy.with(1, 1)],
    ['the same key twice', 'malformed', Uint8Array.from(repeatedKey)],
    ['a program out of range', 'malformed', legacy.with(legacy.length - 17, 9)],
    ['an account out of range', 'malformed', legacy.with(legacy.length - 14, 9)],
    ['a transaction of another signer', 'signer', compile([pay(1n, friend, stranger)], { payer: stranger })],
    ['a lookup table that is not resolved', 'lookup-table', hidden.bytes],
    ['a program that is not listed', 'program', compile([call(foreign)])],
    ['a program that may call others, listed without “uncapped”', 'program', compile([call(foreign)]), uncounted],
    ['a second instruction behind an allowed one', 'program', compile([pay(1n), call(foreign)])],
    ['an instruction that is not listed', 'instruction', compile([allocate])],
    ['System Assign', 'instruction', compile([assign]), system],
    ['System Allocate', 'instruction', compile([allocate]), system],
    ['a durable nonce', 'instruction', compile([SystemProgram.nonceAdvance(authority), pay(1n)]), system],
    [
      'a nonce’s withdrawal',
      'instruction',
      compile([SystemProgram.nonceWithdraw({ ...authority, toPubkey: stranger, lamports: 1 })]),
      system,
    ],
    [
      'a nonce’s new authority',
      'instruction',
      compile([SystemProgram.nonceAuthorize({ ...authority, newAuthorizedPubkey: stranger })]),
      system,
    ],
    ['a system instruction to come', 'instruction', bySystem(99, 0, 0, 0), system],
    ['Approve', 'instruction', compile([token([4, ...u64(1n)], friend, stranger, wallet)])],
    ['ApproveChecked', 'instruction', compile([token([13, ...u64(1n), 6], friend, foreign, stranger, wallet)])],
    ['SetAuthority', 'instruction', compile([token([6, 2, 1, ...stranger.toBytes()], friend, wallet)])],
    ['CloseAccount to another account', 'instruction', compile([token([9], friend, stranger, wallet)])],
    ['Transfer, whose mint is unknown', 'instruction', compile([token([3, ...u64(1n)], friend, friend, wallet)])],
    [
      'a batch of token instructions',
      'instruction',
      compile([token([255, 3, 9, 3, ...u64(1n)], friend, stranger, wallet)]),
    ],
    [
      'an extension of Token-2022',
      'instruction',
      compile([token([26, 1, ...u64(1n), 6, ...u64(0n)], friend, foreign, stranger, wallet)]),
    ],
    ['a prefix that only begins like a listed one', 'instruction', bySystem(2, 0, 0, 1, ...u64(1n))],
    ['another destination', 'destination', compile([pay(1n, stranger)])],
    ['another destination, in a lookup table', 'destination', hidden.bytes, { tables: hidden.tables }],
    [
      'another destination of tokens',
      'destination',
      compile([token([12, ...u64(1n), 6], friend, foreign, stranger, wallet)]),
    ],
    ['a new account as destination', 'destination', compile([SystemProgram.createAccount(created)]), system],
    ['too much at once', 'transaction-limit', compile([pay(SOL / 2n)])],
    ['too much in parts', 'transaction-limit', compile([pay(SOL / 4n), pay(SOL / 4n)])],
    [
      'too much as wrapped SOL',
      'transaction-limit',
      compile([token([12, ...u64(SOL), 9], friend, wrappedSol, friend, wallet)]),
    ],
    ['too much as a priority fee', 'transaction-limit', compile([dear, pay(1n)])],
    ['too much in a day', 'daily-limit', compile([pay(SOL / 4n)]), { spent: (SOL * 4n) / 5n }],
    ['too much in a day by the fee alone', 'daily-limit', compile([pay(0n)]), { spent: SOL - 4_999n }],
    ['a transfer with bytes behind it', 'malformed', bySystem(2, 0, 0, 0, ...u64(1n), 0)],
    ['a policy that has run out', 'expired', legacy, { policy: { ...strict, expiresAt: 5 }, now: 5 }],
  ])('a policy refuses %s by the rule %s', (_, rule, bytes, facts) => {
    expect(getRule(() => decide(bytes, facts))).toBe(rule)
  })

  it('allows an instruction that must be listed by name once the policy lists its name', () => {
    const policy = { ...strict, programs: [{ programId: SYSTEM, instructions: ['01000000'] }] }
    expect(decide(compile([assign]), { policy })).toBe(5000n)
  })
})

function offchain(version: number, ...rest: Uint8Array[]) {
  return Uint8Array.of(0xff, ...text('solana offchain'), version, ...rest.flatMap(part => [...part]))
}

function u16(value: number) {
  return Uint8Array.of(value & 0xff, value >> 8)
}

describe('messages', () => {
  const policy = { ...strict, messages: true }
  const facts = { wallet: wallet.toBytes(), policy, getSpent: () => 0n, now: 0, ...asked }
  it.each(vectors.cases)(
    'allows and refuses messages as the frame does: $name',
    ({ hex, letters = 0, text, application }) => {
      const bytes = Uint8Array.of(...Buffer.from(hex, 'hex'), ...Buffer.alloc(letters, 'a'))
      const walletFacts = { ...facts, wallet: Buffer.from(vectors.wallet, 'hex') }
      const rule = text === null ? 'message' : undefined
      expect(getRule(() => decideMessage(bytes, { ...walletFacts, consent: true }))).toBe(rule)
      expect(getRule(() => decideMessage(bytes, walletFacts))).toBe(application ? 'sign-in' : rule)
    },
  )
  it.each([
    ['a legacy transaction', legacy],
    ['a transaction of version 0', compile([pay(1n)], { version: 0 })],
    ['a transaction of a version to come', Uint8Array.of(0x8a, ...legacy)],
    ['a whole transaction with its signatures', Uint8Array.of(1, ...new Uint8Array(64), ...legacy)],
    ['a control character', text('a\u007fb')],
    ['an off-chain message with a transaction in it', offchain(0, Uint8Array.of(2), u16(legacy.length), legacy)],
  ])('refuses to sign %s as a message', (_, bytes) => {
    expect(getRule(() => decideMessage(bytes, facts))).toBe('message')
  })
  it('refuses a transaction as a message even if it has 32 signers and every byte is printable text', () => {
    const keys = Array.from({ length: 48 }, (_, index) => text('k'.repeat(31) + String.fromCharCode(64 + index)))
    const instruction = [9, 9, ...Array<number>(9).fill(32), 9, ...Array<number>(9).fill(32)]
    const head = [32, 9, 9, keys.length, ...keys.flatMap(key => [...key]), ...text('h'.repeat(32))]
    const bytes = Uint8Array.of(...head, 10, ...Array<number[]>(10).fill(instruction).flat())
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow()
    expect(readTransaction(bytes).signers).toBe(32)
    expect(getRule(() => decideMessage(bytes, { ...facts, wallet: text(`${'k'.repeat(31)}@`) }))).toBe('message')
  })
  it.each(vectors.signIns)('asks for consent to sign in elsewhere only: $name', ({ origin, text: content, others }) => {
    const wallet = Buffer.from(vectors.wallet, 'hex')
    const signIn = { ...facts, wallet, origins: ['https://other.example', origin] }
    const memo = compile([call(MEMO, [...text(content)])], { payer: new PublicKey(wallet) })
    for (const [consent, rule] of [
      [false, others && 'sign-in'],
      [true, undefined],
    ] as const) {
      const asked = {
        ...signIn,
        consent,
        policy: { ...strict, programs: [{ programId: MEMO.toBase58() }], messages: true },
      }
      expect(getRule(() => decideMessage(text(content), asked))).toBe(rule || undefined)
      const toDecide = { message: memo, transaction: readTransaction(memo), tables: new Map() }
      expect(getRule(() => decideClosed(toDecide, asked))).toBe(rule || undefined)
    }
  })
  it('refuses every message under a policy that forbids messages', () => {
    expect(getRule(() => decideMessage(text('hi'), { ...facts, policy: strict }))).toBe('message')
  })
})

describe('grants', () => {
  const grant: Policy = {
    dailyLimit: SOL.toString(),
    programs: [{ programId: SYSTEM, instructions: ['02000000'] }, { programId: BUDGET }],
    messages: false,
    otherwise: 'ask',
    origin: 'https://app.example',
  }
  type Change = Partial<Parameters<typeof decideOpen>[1]> & Pick<Given, 'tables'>
  const decideAsked = (bytes: Uint8Array, { tables = new Map(), ...more }: Change = {}, isMessage = false) =>
    decideOpen(
      { message: bytes, transaction: isMessage ? undefined : readTransaction(bytes), tables },
      { wallet: wallet.toBytes(), policy: grant, getSpent: () => 0n, now: 0, ...asked, ...more },
    )
  const small = compile([pay(1000n)])

  it.each<[string, string | undefined, Uint8Array, Change?]>([
    ['a transfer', undefined, small],
    ['a transfer of a wallet without a grant', 'consent', small, { policy: null }],
    ['a transaction without instructions, without a grant', 'consent', nothing, { policy: null }],
    ['a transfer for another origin', 'origin', small, { origin: 'https://shop.example' }],
    ['a transfer above the amount of the day', 'daily-limit', small, { getSpent: () => SOL }],
    ['a transfer with a note', 'program', compile([pay(1n), call(MEMO, [65])])],
    ['a transfer of tokens', 'program', compile([token([12, ...u64(1n), 9], friend, stranger, friend, wallet)])],
    ['an account for another program', 'instruction', compile([assign])],
    ['a call of an unknown program', 'program', compile([call(foreign)])],
    ['a transfer by a lookup table', 'consent', hidden.bytes, { tables: hidden.tables }],
    ['a grant that has run out', 'expired', small, { policy: { ...grant, expiresAt: 5 }, now: 5 }],
  ])('without the user, %s is decided by the rule %s', (_, rule, bytes, facts) => {
    expect(getRule(() => decideAsked(bytes, facts))).toBe(rule)
    expect(decideAsked(bytes, { ...facts, consent: true }).size).toBe(0)
  })
  it('never covers a message', () => {
    for (const policy of [grant, { ...grant, messages: true }, null])
      expect(getRule(() => decideAsked(text('hello'), { policy }, true))).toBe('consent')
    expect(decideAsked(text('hello'), { consent: true }, true).size).toBe(0)
    expect(getRule(() => decideAsked(legacy, { consent: true }, true))).toBe('message')
  })
  it('the user’s consent signs no transaction of another wallet', () => {
    const other = compile([pay(1n, friend, stranger)], { payer: stranger })
    expect(getRule(() => decideAsked(other, { consent: true }))).toBe('signer')
  })
  it.each<[string, Partial<Policy>]>([
    ['messages', { messages: true }],
    ['no daily limit', { dailyLimit: undefined }],
    ['a program without a cap', { programs: [{ programId: SYSTEM, instructions: ['02000000'], uncapped: true }] }],
    ['another instruction', { programs: [{ programId: SYSTEM, instructions: ['01000000'] }] }],
    ['all instructions', { programs: [{ programId: SYSTEM }] }],
    ['another program', { programs: [{ programId: foreign.toBase58() }] }],
  ])('is refused with %s', (_, change) => {
    expect(isSoundGrant(grant)).toBe(true)
    expect(isSoundGrant({ ...grant, ...change })).toBe(false)
  })
  it('only a grant names an origin', () => {
    expect(isSoundGrant(strict)).toBe(true)
    expect(isSoundGrant({ ...strict, origin: 'https://app.example' })).toBe(false)
  })
  it.each<[string, boolean, Policy | null, Policy | null]>([
    ['no grant', true, null, grant],
    ['nothing', true, null, null],
    ['a first grant', false, grant, null],
    ['a smaller grant', true, { ...grant, dailyLimit: '5' }, grant],
    ['a larger grant', false, { ...grant, dailyLimit: '2000000000' }, grant],
    ['another origin', false, { ...grant, origin: 'https://shop.example' }, grant],
    ['every origin', false, { ...grant, origin: undefined }, grant],
    ['a grant after a policy', false, grant, strict],
    ['no policy', false, null, strict],
    ['a first policy, which allows something unasked', false, strict, null],
    ['a first policy that allows nothing', true, { programs: [], messages: false }, null],
  ])('a change to %s only takes permissions away: %s', (_, within, next, now) => {
    expect(isWithin(next, now)).toBe(within)
  })
})

describe('policy changes', () => {
  it.each<[string, boolean, Partial<Policy>]>([
    ['the same', true, {}],
    ['a lower limit', true, { dailyLimit: '5' }],
    ['a higher limit', false, { dailyLimit: '2000000000' }],
    ['no limit', false, { dailyLimit: undefined }],
    ['fewer programs', true, { programs: [] }],
    ['another program', false, { programs: [{ programId: foreign.toBase58() }] }],
    ['a listed program without its cap', false, { programs: [{ programId: TOKEN.toBase58(), uncapped: true }] }],
    ['a narrower prefix', true, { programs: [{ programId: SYSTEM, instructions: ['0200000001'] }] }],
    ['all instructions', false, { programs: [{ programId: SYSTEM }] }],
    ['an instruction by name', false, { programs: [{ programId: TOKEN.toBase58(), instructions: ['04'] }] }],
    ['more destinations', false, { destinations: [friend.toBase58(), stranger.toBase58()] }],
    ['all destinations', false, { destinations: undefined }],
    ['messages', false, { messages: true }],
    ['an end', true, { expiresAt: 1 }],
  ])('a policy change to %s only takes permissions away: %s', (_, within, change) => {
    expect(isWithin({ ...strict, ...change }, strict)).toBe(within)
  })
})
