import {
  createAssociatedTokenAccountIdempotentInstruction,
  createMint,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getMemoTransfer,
  getMint,
  getNonTransferable,
  getOrCreateAssociatedTokenAccount,
  getTransferFeeConfig,
  mintTo,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, sendAndConfirmTransaction, Transaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { FAUCET_ADDRESS } from '../src/index.js'
import { admin, chainForTest, connectionForTest, funded, rpc } from './support.js'

const PROGRAMS = [
  ['SPL Token', TOKEN_PROGRAM_ID, 'spl-token'],
  ['Token-2022', TOKEN_2022_PROGRAM_ID, 'spl-token-2022'],
] as const

describe('unchanged @solana/spl-token', () => {
  it.each(PROGRAMS)(
    '%s: creates a mint and an account, transfers, and shows the transfer in every view',
    async (_, programId, name) => {
      const connection = connectionForTest(await chainForTest())
      const alice = await funded(connection)
      const bob = Keypair.generate().publicKey
      const mint = await createMint(connection, alice, alice.publicKey, null, 6, undefined, undefined, programId)
      const account = await getOrCreateAssociatedTokenAccount(
        connection,
        alice,
        mint,
        alice.publicKey,
        false,
        undefined,
        undefined,
        programId,
      )
      await mintTo(connection, alice, mint, account.address, alice, 5_000_000n, [], undefined, programId)
      const bobs = getAssociatedTokenAddressSync(mint, bob, false, programId)
      const signature = await sendAndConfirmTransaction(
        connection,
        new Transaction().add(
          createAssociatedTokenAccountIdempotentInstruction(alice.publicKey, bobs, bob, mint, programId),
          createTransferCheckedInstruction(account.address, mint, bobs, alice.publicKey, 1_500_000n, 6, [], programId),
        ),
        [alice],
      )

      expect((await getAccount(connection, bobs, undefined, programId)).amount).toBe(1_500_000n)
      expect((await getMint(connection, mint, undefined, programId)).supply).toBe(5_000_000n)
      expect((await connection.getTokenAccountBalance(bobs)).value).toEqual({
        amount: '1500000',
        decimals: 6,
        uiAmount: 1.5,
        uiAmountString: '1.5',
      })
      expect((await connection.getTokenSupply(mint)).value.uiAmountString).toBe('5')
      const largest = (await connection.getTokenLargestAccounts(mint)).value
      expect(largest.map(entry => [entry.address.toBase58(), entry.amount])).toEqual([
        [account.address.toBase58(), '3500000'],
        [bobs.toBase58(), '1500000'],
      ])
      const byMint = await connection.getParsedTokenAccountsByOwner(bob, { mint })
      const byProgram = await connection.getParsedTokenAccountsByOwner(bob, { programId })
      expect(byProgram.value).toEqual(byMint.value)
      expect(byMint.value[0]?.account.data).toMatchObject({
        program: name,
        parsed: { type: 'account', info: { mint: mint.toBase58(), owner: bob.toBase58(), state: 'initialized' } },
      })
      const raw = await connection.getTokenAccountsByOwner(alice.publicKey, { mint })
      expect(raw.value.map(entry => entry.pubkey.toBase58())).toEqual([account.address.toBase58()])

      const fetchedTransaction = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
      const changed = fetchedTransaction?.meta?.postTokenBalances?.map(entry => [
        entry.owner,
        entry.uiTokenAmount.uiAmountString,
      ])
      expect(changed).toEqual(
        expect.arrayContaining([
          [alice.publicKey.toBase58(), '3.5'],
          [bob.toBase58(), '1.5'],
        ]),
      )
      expect(fetchedTransaction?.meta?.preTokenBalances).toHaveLength(1)
      expect(fetchedTransaction?.transaction.message.instructions[1]).toMatchObject({
        program: name,
        parsed: { type: 'transferChecked', info: { tokenAmount: { amount: '1500000', uiAmountString: '1.5' } } },
      })
      const inner = fetchedTransaction?.meta?.innerInstructions?.[0]?.instructions.map(entry =>
        'parsed' in entry ? entry.parsed.type : null,
      )
      expect(inner).toContain('createAccount')
      expect(inner).toContain('initializeAccount3')
    },
  )

  it('wraps SOL as a token', async () => {
    const connection = connectionForTest(await chainForTest())
    const alice = await funded(connection)
    const account = await getOrCreateAssociatedTokenAccount(connection, alice, NATIVE_MINT, alice.publicKey)
    const { createSyncNativeInstruction } = await import('@solana/spl-token')
    const wrap = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: account.address, lamports: 1e9 }),
      createSyncNativeInstruction(account.address),
    )
    await sendAndConfirmTransaction(connection, wrap, [alice])
    expect((await connection.getTokenAccountBalance(account.address)).value.uiAmountString).toBe('1')
    const parsed = await connection.getParsedAccountInfo(account.address)
    expect(parsed.value?.data).toMatchObject({ parsed: { info: { isNative: true } } })
  })

  it.each(['spl-token', 'spl-token-2022'])('mints demo tokens of %s for an owner', async program => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const owner = Keypair.generate().publicKey
    const order = { owner: owner.toBase58(), symbol: 'USDX', decimals: 2, amount: '12345', program }
    const first = await (await admin(chain, 'POST', '/mint', order)).json()
    const second = await (await admin(chain, 'POST', '/mint', order)).json()
    expect(second.mint).toBe(first.mint)
    const programId = program === 'spl-token' ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID
    expect(first.account).toBe(
      getAssociatedTokenAddressSync(new PublicKey(first.mint), owner, false, programId).toBase58(),
    )
    expect((await connection.getTokenAccountBalance(new PublicKey(first.account))).value.uiAmountString).toBe('246.9')
  })

  it('mints Token-2022 tokens with a fee, non-transferable tokens, and tokens for accounts that require a memo', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const owner = (await funded(connection)).publicKey.toBase58()
    const program = 'spl-token-2022'
    const minted = async (feature: string) => {
      const { mint } = await (await admin(chain, 'POST', '/mint', { owner, symbol: 'X', program, feature })).json()
      return getMint(connection, new PublicKey(mint), undefined, TOKEN_2022_PROGRAM_ID)
    }
    expect(getTransferFeeConfig(await minted('transfer-fee'))?.newerTransferFee.transferFeeBasisPoints).toBe(100)
    expect(getNonTransferable(await minted('non-transferable'))).not.toBeNull()
    const { address } = await minted('memo-required')
    const asking = getAssociatedTokenAddressSync(address, new PublicKey(FAUCET_ADDRESS), false, TOKEN_2022_PROGRAM_ID)
    const account = await getAccount(connection, asking, undefined, TOKEN_2022_PROGRAM_ID)
    expect(getMemoTransfer(account)?.requireIncomingTransferMemos).toBe(true)
    for (const wrong of [{ program: 'spl-token' }, { feature: 'free' }, { symbol: 'x'.repeat(20) }])
      expect((await admin(chain, 'POST', '/mint', { owner, program, feature: 'transfer-fee', ...wrong })).status).toBe(
        400,
      )
  })

  it('filters program accounts by size and content', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const owners = [Keypair.generate().publicKey, Keypair.generate().publicKey]
    for (const owner of owners) await admin(chain, 'POST', '/mint', { owner: owner.toBase58() })
    const [owner] = owners
    const filters = [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner?.toBase58() ?? '' } }]
    const accounts = await connection.getProgramAccounts(TOKEN_PROGRAM_ID, {
      filters,
      dataSlice: { offset: 64, length: 8 },
    })
    expect(accounts).toHaveLength(1)
    expect(accounts[0]?.account.data.readBigUInt64LE(0)).toBe(1_000_000_000n)
    const wrong = await rpc(chain, 'getTokenAccountsByOwner', owner?.toBase58(), { programId: SystemProgram.programId })
    expect(wrong.error).toEqual({ code: -32602, message: 'Invalid param: unrecognized Token program id' })
  })
})
