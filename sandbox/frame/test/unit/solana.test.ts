/** Compares what the frame reads of transactions and messages with web3.js, and tests bytes from an attacker. */
import {
  inSol,
  isForOthers,
  parseMessage,
  parseTransaction,
  signInSites,
  withSignature,
} from '@keybay/waas/relay-client'
import vectors from '@keybay/waas/vectors/messages.json' with { type: 'json' }
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeTransaction } from '../../src/page/chains/solana/describe.js'
import { describeCosts } from '../../src/page/chains/solana/describe-costs.js'
import { readableMessage } from '../../src/page/chains/solana/message.js'

const payer = Keypair.generate()
const to = Keypair.generate().publicKey
const blockhash = Keypair.generate().publicKey.toBase58()
const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_500_000_000 })

function legacy() {
  return new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(transfer)
}

function v0(tables: AddressLookupTableAccount[] = []) {
  return new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 7 }), transfer],
    }).compileToV0Message(tables),
  )
}

describe('a transaction', () => {
  it('reads a transaction as web3.js wrote it, and describes what the transaction does', () => {
    const { parsed, message } = parseTransaction(legacy().serialize({ requireAllSignatures: false }))
    expect(message).toEqual(new Uint8Array(legacy().serializeMessage()))
    expect(parsed).toMatchObject({ version: 'legacy', signers: [payer.publicKey.toBase58()], usesLookupTables: false })
    expect(describeTransaction(parsed)).toEqual([
      {
        title: 'Send SOL',
        lines: [
          { label: 'Amount', value: '1.5 SOL', large: true },
          { label: 'From', value: payer.publicKey.toBase58(), address: true },
          { label: 'To', value: to.toBase58(), address: true },
        ],
      },
    ])
  })

  it('reads a transaction of version 0, and does not invent the contents of a lookup table', () => {
    const { parsed } = parseTransaction(v0().serialize())
    expect(parsed).toMatchObject({ version: 0, usesLookupTables: false })
    expect(describeTransaction(parsed).map(({ title }) => title)).toEqual(['Priority fee', 'Send SOL'])
    const key = Keypair.generate().publicKey
    const state = {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [to],
    }
    const looked = parseTransaction(v0([new AddressLookupTableAccount({ key, state })]).serialize()).parsed
    expect(looked.usesLookupTables).toBe(true)
    expect(describeTransaction(looked)[1]?.lines[2]?.value).toBe(`${key.toBase58()}#0`)
  })

  it('puts a signature in its signer’s place, and changes nothing else in the transaction', () => {
    const second = Keypair.generate()
    const two = legacy().add(SystemProgram.transfer({ fromPubkey: second.publicKey, toPubkey: to, lamports: 1 }))
    two.partialSign(second)
    const bytes = two.serialize({ requireAllSignatures: false })
    const signed = withSignature(parseTransaction(bytes), payer.publicKey.toBase58(), new Uint8Array(64).fill(9))
    const read = Transaction.from(signed)
    expect(new Uint8Array(read.signatures[0]?.signature ?? [])).toEqual(new Uint8Array(64).fill(9))
    expect(read.signatures[1]?.signature).toEqual(two.signatures[1]?.signature)
    expect(read.serializeMessage()).toEqual(two.serializeMessage())
    expect(() => withSignature(parseTransaction(bytes), to.toBase58(), new Uint8Array(64))).toThrow(RangeError)
  })

  it('refuses a transaction with a missing or an extra byte, wherever the transaction is cut', () => {
    const bytes = new Uint8Array(v0().serialize())
    for (let length = 0; length < bytes.length; length++)
      expect(() => parseTransaction(bytes.slice(0, length))).toThrow(RangeError)
    expect(() => parseTransaction(Uint8Array.of(...bytes, 0))).toThrow(RangeError)
  })

  it('reads or refuses any bytes as a transaction, and throws no other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
        try {
          parseTransaction(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses a transaction of an unknown version', () => {
    const message = new Uint8Array(v0().message.serialize())
    message[0] = 0x81
    expect(() => parseMessage(message)).toThrow('an unknown version')
  })

  it('describes an unknown program in a transaction as unknown', () => {
    const programId = Keypair.generate().publicKey
    const { parsed } = parseTransaction(
      new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash })
        .add({ programId, keys: [], data: Buffer.from([1, 2, 3]) })
        .serialize({ requireAllSignatures: false }),
    )
    expect(describeTransaction(parsed)).toMatchObject([
      { unclear: true, lines: [{ value: programId.toBase58() }, { value: '3 bytes' }] },
    ])
  })

  const only = (programId: PublicKey, data: Uint8Array) =>
    describeTransaction(
      parseTransaction(
        new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash })
          .add({ programId, keys: [], data: Buffer.from(data) })
          .serialize({ requireAllSignatures: false }),
      ).parsed,
    )[0]

  it.each([
    ['Stake11111111111111111111111111111111111111', 'Stake'],
    ['Vote111111111111111111111111111111111111111', 'Vote'],
    ['AddressLookupTab1e1111111111111111111111111', 'Address Lookup Table'],
    ['BPFLoaderUpgradeab1e11111111111111111111111', 'Upgradeable Loader'],
  ])('names the program %s beside its address, where it cannot read the instruction', (id, name) => {
    expect(only(new PublicKey(id), Uint8Array.of(9))).toEqual({
      title: 'Something this wallet cannot read',
      lines: [
        { label: 'Program', value: name },
        { label: 'Program address', value: id, address: true },
        { label: 'Data', value: '1 byte' },
      ],
      unclear: true,
    })
  })

  it('shortens a long memo and shows its full length', () => {
    const memo = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
    const getNote = (text: string) => only(memo, new TextEncoder().encode(text))?.lines[0]?.value
    expect(getNote('a'.repeat(600))).toBe('a'.repeat(600))
    expect(getNote(`${'a'.repeat(600)}, and all is yours`)).toBe(`${'a'.repeat(600)} … (618 characters)`)
  })

  it.each([
    [[], 'Open a token account'],
    [[0], 'Open a token account'],
    [[1], 'Open a token account'],
    [[2], 'Something this wallet cannot read'],
    [[0, 0], 'Something this wallet cannot read'],
  ])('describes an associated token program instruction with the data %j as: %s', (data, title) => {
    const associated = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
    expect(only(associated, Uint8Array.from(data))?.title).toBe(title)
  })

  it.each([
    [0n, '0 SOL'],
    [1n, '0.000000001 SOL'],
    [1_000_000_000n, '1 SOL'],
    [18_446_744_073_709_551_615n, '18446744073.709551615 SOL'],
  ])('shows %i lamports as %s', (lamports, text) => {
    expect(inSol(lamports)).toBe(text)
  })
})

describe('a transfer of tokens', () => {
  const token = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  const associated = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
  const usdc = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
  const [source, account] = [Keypair.generate().publicKey, Keypair.generate().publicKey]
  const wallet = payer.publicKey.toBase58()
  const getKeys = (...keys: readonly PublicKey[]) =>
    keys.map(pubkey => ({ pubkey, isSigner: pubkey.equals(payer.publicKey), isWritable: true }))
  const send = (data: readonly number[]) => ({
    programId: token,
    keys: getKeys(source, usdc, account, payer.publicKey),
    data: Buffer.from(data),
  })
  const opening = {
    programId: associated,
    keys: getKeys(payer.publicKey, account, to, usdc, SystemProgram.programId, token),
    data: Buffer.from([1]),
  }
  const read = (...instructions: readonly { programId: PublicKey; keys: ReturnType<typeof getKeys>; data: Buffer }[]) =>
    parseTransaction(
      new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash })
        .add(...instructions)
        .serialize({ requireAllSignatures: false }),
    ).parsed
  /** 7 USDC, with TransferChecked. */
  const seven = [12, 192, 207, 106, 0, 0, 0, 0, 0, 6]

  it('names the wallets that send and receive before their token accounts, and the token by its name', () => {
    const [, action] = describeTransaction(read(opening, send(seven)))
    expect(action?.lines).toEqual([
      { label: 'Amount', value: '7 USDC', large: true },
      { label: 'To', value: to.toBase58(), address: true },
      { label: 'To token account', value: account.toBase58(), address: true },
      { label: 'From', value: wallet, address: true },
      { label: 'Token', value: usdc.toBase58(), address: true },
    ])
  })

  it('calls a token account a token account where the transaction does not name its owner', () => {
    const [action] = describeTransaction(read(send(seven)))
    expect(action?.lines.map(({ label }) => label)).toEqual(['Amount', 'To token account', 'From', 'Token'])
  })

  it('reads a transfer that names the token’s own fee, and shows what the token keeps', () => {
    const [action] = describeTransaction(read(send([26, 1, ...seven.slice(1), 64, 66, 15, 0, 0, 0, 0, 0])))
    expect(action?.title).toBe('Send tokens')
    expect(action?.lines.slice(0, 2)).toEqual([
      { label: 'Amount', value: '7 USDC', large: true },
      { label: 'The token keeps', value: '1 USDC' },
    ])
  })

  it('shows the network fee with the priority fee, and the deposit for a new token account, as amounts', () => {
    const budget = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 5_000_000 }),
    ]
    expect(describeCosts(read(...budget, opening, send(seven)), wallet)).toEqual({
      title: 'Costs',
      lines: [
        { label: 'Network', value: 'Solana' },
        { label: 'Network fee', value: '0.001005 SOL' },
        { label: 'New token account', value: '0.00203928 SOL' },
      ],
    })
  })

  it('calls the deposit for a Token-2022 account the most that it can be, because the size of such an account differs', () => {
    const token2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
    const other = { ...opening, keys: [...opening.keys.slice(0, 5), ...getKeys(token2022)] }
    const getDeposit = (...openings: readonly (typeof opening)[]) => describeCosts(read(...openings), wallet).lines[2]
    expect(getDeposit(other)).toEqual({ label: 'New token account, at most', value: '0.01 SOL' })
    expect(getDeposit(opening, other)).toEqual({ label: 'New token accounts, at most', value: '0.01203928 SOL' })
  })

  it('names the account that pays the fee where it is not the wallet', () => {
    const { lines } = describeCosts(read(send(seven)), to.toBase58())
    expect(lines).toEqual([
      { label: 'Network', value: 'Solana' },
      { label: 'Network fee', value: '0.000005 SOL' },
      { label: 'Paid by', value: wallet, address: true },
    ])
  })
})

describe('a message', () => {
  const { address } = vectors
  it.each(vectors.cases)(
    'shows the text of a message or refuses the message: $name',
    ({ hex, letters = 0, text, application }) => {
      const bytes = Uint8Array.of(...Buffer.from(hex, 'hex'), ...Buffer.alloc(letters, 'a'))
      const read = () => readableMessage(bytes, address)
      if (text === null) expect(read).toThrow('This message is a transaction, or looks like one')
      else expect(read()).toEqual({ text: text + 'a'.repeat(letters), ...(application && { application }) })
    },
  )

  it.each([
    ['a legacy transaction’s message', () => new Uint8Array(legacy().serializeMessage())],
    ['a version 0 message', () => new Uint8Array(v0().message.serialize())],
    ['a version to come', () => Uint8Array.of(0x85, ...new TextEncoder().encode('text'))],
    ['a whole transaction', () => new Uint8Array(legacy().serialize({ requireAllSignatures: false }))],
  ])('refuses to show %s as a message', (_, make) => {
    expect(() => readableMessage(make(), address)).toThrow('This message is a transaction, or looks like one')
  })

  it('never shows the message of a web3.js transaction as a readable message', () => {
    const instruction = fc.record({
      data: fc.uint8Array({ maxLength: 60 }),
      keys: fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 4 }),
      program: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    })
    const make = (parts: readonly { data: Uint8Array; keys: Uint8Array[]; program: Uint8Array }[]) =>
      new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: blockhash,
        instructions: parts.map(({ data, keys, program }) => ({
          data: Buffer.from(data),
          keys: keys.map(key => ({ pubkey: new PublicKey(key), isSigner: false, isWritable: true })),
          programId: new PublicKey(program),
        })),
      })
    fc.assert(
      fc.property(fc.array(instruction, { maxLength: 4 }), fc.boolean(), (parts, isLegacy) => {
        const message = isLegacy ? make(parts).compileToLegacyMessage() : make(parts).compileToV0Message()
        expect(() => readableMessage(new Uint8Array(message.serialize()), address)).toThrow()
      }),
      { numRuns: 300 },
    )
  })

  it.each(vectors.signIns)('recognises a sign-in at another site: $name', ({ origin, text, others, sites }) => {
    expect(isForOthers({ text }, { origins: [origin], address })).toBe(others)
    expect(signInSites(text).map(site => site ?? null)).toEqual(sites)
  })
})
