/** Compares every instruction byte for byte with web3.js, spl-token and kit. */
import {
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  blockhash as lifetime,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  createTransferCheckedWithFeeInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Instruction } from '../src/index.js'
import { MEMO_PROGRAM } from '../src/programs/addresses.js'
import { associatedAddress } from '../src/programs/associated.js'
import {
  advanceNonce,
  computeUnitLimit,
  computeUnitPrice,
  createAssociated,
  memo,
  transferSol,
  transferToken,
  transferTokenWithFee,
} from '../src/programs/instructions.js'
import { compile, tryCompile } from '../src/transaction/compile.js'
import { getPercentile } from '../src/transaction/priority.js'

function key() {
  return Keypair.generate().publicKey
}

function plain({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    program: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      ...(isSigner && { signer: true }),
      ...(isWritable && { writable: true }),
    })),
    data: Uint8Array.from(data),
  }
}
const [from, to, mint, nonce] = [key(), key(), key(), key()]
const amounts = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => new PublicKey(bytes))

it('encodes System and ComputeBudget instructions like web3.js, for every amount and address', () => {
  fc.assert(
    fc.property(keys, keys, amounts, (fromPubkey, toPubkey, lamports) => {
      const expected = plain(SystemProgram.transfer({ fromPubkey, toPubkey, lamports }))
      expect(transferSol(fromPubkey.toBase58(), toPubkey.toBase58(), lamports)).toEqual(expected)
    }),
  )
  expect(advanceNonce(nonce.toBase58(), from.toBase58())).toEqual(
    plain(SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: from })),
  )
  expect(computeUnitLimit(1_400_000)).toEqual(plain(ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 })))
  expect(computeUnitPrice(2n ** 63n)).toEqual(
    plain(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2n ** 63n })),
  )
})
it.each([TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID])(
  'encodes instructions of the token program %s like spl-token',
  programId => {
    const program = programId.toBase58()
    const [source, destination] = [from, to].map(owner => getAssociatedTokenAddressSync(mint, owner, true, programId))
    if (!source || !destination) throw new Error('no addresses')
    expect(associatedAddress(from.toBase58(), mint.toBase58(), program)).toBe(source.toBase58())
    const created = createAssociatedTokenAccountIdempotentInstruction(from, destination, to, mint, programId)
    const made = { payer: from, account: destination, owner: to, mint }
    const texts = Object.fromEntries(Object.entries(made).map(([name, value]) => [name, value.toBase58()]))
    expect(createAssociated({ payer: '', account: '', owner: '', mint: '', ...texts, program })).toEqual(plain(created))
    fc.assert(
      fc.property(amounts, fc.nat(255), (amount, decimals) => {
        const transfer = {
          program,
          mint: mint.toBase58(),
          decimals,
          source: source.toBase58(),
          destination: destination.toBase58(),
          owner: from.toBase58(),
          amount,
        }
        const args = [source, mint, destination, from, amount, decimals] as const
        expect(transferToken(transfer)).toEqual(plain(createTransferCheckedInstruction(...args, [], programId)))
        if (programId.equals(TOKEN_2022_PROGRAM_ID))
          expect(transferTokenWithFee(transfer, amount / 2n)).toEqual(
            plain(createTransferCheckedWithFeeInstruction(...args, amount / 2n, [], programId)),
          )
      }),
    )
  },
)

describe('a compiled transaction', () => {
  const note = memo('for lunch — ☕', from.toBase58())
  const instructions = [transferSol(from.toBase58(), to.toBase58(), 1_500_000_000n), note]
  const blockhash = key().toBase58()
  it('compiles a transaction to the same bytes as web3.js, legacy and v0', () => {
    const reference = new TransactionMessage({
      payerKey: from,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: 1_500_000_000n }),
        {
          programId: new PublicKey(MEMO_PROGRAM),
          keys: [{ pubkey: from, isSigner: true, isWritable: false }],
          data: Buffer.from('for lunch — ☕'),
        },
      ],
    })
    const draft = { payer: from.toBase58(), instructions, tables: [] }
    expect(compile({ ...draft, version: 'legacy' }, blockhash)).toEqual(
      new VersionedTransaction(reference.compileToLegacyMessage()).serialize(),
    )
    expect(compile({ ...draft, version: 0 }, blockhash)).toEqual(
      new VersionedTransaction(reference.compileToV0Message()).serialize(),
    )
  })
  it.each(['legacy', 0] as const)('compiles a transaction to the same bytes as kit: version %s', version => {
    const kitInstructions = instructions.map(({ program, accounts, data }) => ({
      programAddress: address(program),
      // kit's roles: two bits, signer and writable.
      accounts: accounts.map(account => ({
        address: address(account.address),
        role: (account.signer ? 2 : 0) + (account.writable ? 1 : 0),
      })),
      data,
    }))
    const message = pipe(
      createTransactionMessage({ version }),
      empty => setTransactionMessageFeePayer(address(from.toBase58()), empty),
      paid =>
        setTransactionMessageLifetimeUsingBlockhash({ blockhash: lifetime(blockhash), lastValidBlockHeight: 1n }, paid),
      alive => appendTransactionMessageInstructions(kitInstructions, alive),
    )
    const expected = getTransactionEncoder().encode(compileTransaction(message))
    expect(compile({ payer: from.toBase58(), instructions, version, tables: [] }, blockhash)).toEqual(
      Uint8Array.from(expected),
    )
  })
  it('compiles no transaction larger than a packet, and truncates none', () => {
    fc.assert(
      fc.property(fc.nat(1400), length => {
        const draft = {
          payer: from.toBase58(),
          instructions: [memo('x'.repeat(length), from.toBase58())],
          version: 'legacy' as const,
          tables: [],
        }
        const bytes = tryCompile(draft, blockhash)
        expect(bytes === undefined).toBe(length > 1061)
        if (!bytes) return
        expect(bytes.length).toBeLessThanOrEqual(1232)
        expect(VersionedTransaction.deserialize(bytes).message.compiledInstructions[0]?.data).toHaveLength(length)
      }),
    )
  })
})
it('a fee percentile is an element of the list, and grows with the percentage', () => {
  fc.assert(
    fc.property(fc.array(amounts, { minLength: 1 }), fc.nat(100), fc.nat(100), (fees, first, second) => {
      const [low, high] = first < second ? [first, second] : [second, first]
      expect(fees).toContain(getPercentile(fees, first))
      return getPercentile(fees, low) <= getPercentile(fees, high)
    }),
  )
  expect(getPercentile([], 50)).toBe(0n)
})
