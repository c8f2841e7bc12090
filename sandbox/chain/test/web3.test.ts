import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { chainForTest, connectionForTest, funded } from './support.js'

function transfer(from: Keypair, to: PublicKey, lamports: number) {
  return new Transaction().add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports }))
}

describe('unchanged @solana/web3.js', () => {
  it('sends and confirms a transfer, which every balance and history shows', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain, 'finalized')
    const alice = await funded(connection)
    const bob = Keypair.generate().publicKey
    // A block has the time at which its slot began, which may be the second before.
    const began = (await connection.getBlockTime(await connection.getSlot('processed'))) ?? Number.NaN
    const signature = await sendAndConfirmTransaction(connection, transfer(alice, bob, LAMPORTS_PER_SOL), [alice])

    expect(await connection.getBalance(bob)).toBe(LAMPORTS_PER_SOL)
    expect(await connection.getBalance(alice.publicKey)).toBe(9 * LAMPORTS_PER_SOL - 5000)
    const status = (await connection.getSignatureStatus(signature)).value
    expect(status).toMatchObject({ err: null, confirmationStatus: 'finalized', confirmations: null })

    const fetchedTransaction = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(fetchedTransaction?.meta).toMatchObject({
      err: null,
      fee: 5000,
      preBalances: [10 * LAMPORTS_PER_SOL, 0, 1],
      postBalances: [9 * LAMPORTS_PER_SOL - 5000, LAMPORTS_PER_SOL, 1],
      computeUnitsConsumed: 150,
      innerInstructions: [],
      loadedAddresses: { writable: [], readonly: [] },
    })
    expect(fetchedTransaction?.version).toBe('legacy')
    expect(fetchedTransaction?.meta?.logMessages?.[0]).toBe('Program 11111111111111111111111111111111 invoke [1]')
    expect(fetchedTransaction?.blockTime).toBeGreaterThanOrEqual(began)
    expect(fetchedTransaction?.blockTime).toBeLessThanOrEqual(Date.now() / 1000)

    const [latest, airdrop] = await connection.getSignaturesForAddress(alice.publicKey)
    expect(latest?.signature).toBe(signature)
    const before = await connection.getSignaturesForAddress(alice.publicKey, { before: signature })
    expect(before.map(entry => entry.signature)).toEqual([airdrop?.signature])
    const until = await connection.getSignaturesForAddress(alice.publicKey, { until: airdrop?.signature ?? '' })
    expect(until.map(entry => entry.signature)).toEqual([signature])

    const block = await connection.getBlock(fetchedTransaction?.slot ?? 0, { maxSupportedTransactionVersion: 0 })
    expect(block?.transactions.map(entry => entry.transaction.signatures[0])).toContain(signature)
    expect(await connection.getBlockTime(fetchedTransaction?.slot ?? 0)).toBe(fetchedTransaction?.blockTime)
  })

  it('returns a parsed transaction', async () => {
    const connection = connectionForTest(await chainForTest())
    const alice = await funded(connection)
    const bob = Keypair.generate().publicKey
    const signature = await sendAndConfirmTransaction(connection, transfer(alice, bob, 2_000_000), [alice])
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({
      signer: true,
      writable: true,
      source: 'transaction',
    })
    expect(parsed?.transaction.message.instructions[0]).toMatchObject({
      program: 'system',
      parsed: {
        type: 'transfer',
        info: { source: alice.publicKey.toBase58(), destination: bob.toBase58(), lamports: 2_000_000 },
      },
    })
  })

  it('runs a versioned transaction with a lookup table', async () => {
    const chain = await chainForTest()
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const recipients = Array.from({ length: 5 }, () => Keypair.generate().publicKey)
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: alice.publicKey,
      payer: alice.publicKey,
      recentSlot: (await connection.getSlot()) - 1,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: alice.publicKey,
      payer: alice.publicKey,
      addresses: recipients,
    })
    chain.advanceSlots(1)
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [alice])
    chain.advanceSlots(1)

    const lookupTable = (await connection.getAddressLookupTable(table)).value
    expect(lookupTable?.state.addresses.map(String)).toEqual(recipients.map(String))
    if (!lookupTable) return
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: alice.publicKey,
      recentBlockhash: blockhash,
      instructions: recipients.map(toPubkey =>
        SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey, lamports: LAMPORTS_PER_SOL / 10 }),
      ),
    }).compileToV0Message([lookupTable])
    expect(message.staticAccountKeys).toHaveLength(2)
    const transaction = new VersionedTransaction(message)
    transaction.sign([alice])
    const signature = await connection.sendTransaction(transaction)
    await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
    for (const recipient of recipients) expect(await connection.getBalance(recipient)).toBe(LAMPORTS_PER_SOL / 10)

    const fetchedTransaction = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(fetchedTransaction?.version).toBe(0)
    expect(fetchedTransaction?.meta?.loadedAddresses?.writable.map(String)).toEqual(recipients.map(String))
    expect(fetchedTransaction?.meta?.postBalances).toHaveLength(7)
    await expect(connection.getTransaction(signature)).rejects.toMatchObject({ code: -32015 })
    const history = await connection.getSignaturesForAddress(recipients[4] ?? table)
    expect(history.map(entry => entry.signature)).toEqual([signature])
  })

  it('simulates logs, units and accounts, without signatures and without effect', async () => {
    const connection = connectionForTest(await chainForTest())
    const alice = await funded(connection)
    const bob = Keypair.generate().publicKey
    const message = new TransactionMessage({
      payerKey: alice.publicKey,
      recentBlockhash: PublicKey.default.toBase58(),
      instructions: [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 3_000_000 })],
    }).compileToV0Message()
    const transaction = new VersionedTransaction(message)
    const accounts = { encoding: 'base64' as const, addresses: [bob.toBase58()] }
    const replaced = await connection.simulateTransaction(transaction, { replaceRecentBlockhash: true, accounts })
    expect(replaced.value).toMatchObject({ err: null, unitsConsumed: 150 })
    expect(replaced.value.accounts?.[0]?.lamports).toBe(3_000_000)
    expect(await connection.getBalance(bob)).toBe(0)

    const stale = await connection.simulateTransaction(transaction)
    expect(stale.value.err).toBe('BlockhashNotFound')
    const unsigned = connection.simulateTransaction(transaction, { sigVerify: true })
    await expect(unsigned).rejects.toThrow('Transaction signature verification failure')
  })

  it('names the error of a transaction with its logs, and charges a failure that skipped preflight', async () => {
    const connection = connectionForTest(await chainForTest())
    const alice = await funded(connection, 1)
    const bob = Keypair.generate().publicKey
    const refused = await sendAndConfirmTransaction(connection, transfer(alice, bob, 5e9), [alice]).catch(
      error => error,
    )
    expect(refused).toBeInstanceOf(SendTransactionError)
    expect(refused.message).toContain('Error processing Instruction 0: custom program error: 0x1')
    expect(refused.logs).toContain('Transfer: insufficient lamports 999995000, need 5000000000')

    const sent = transfer(alice, bob, 5e9)
    const landed = await sendAndConfirmTransaction(connection, sent, [alice], { skipPreflight: true }).catch(
      error => error,
    )
    expect(landed.message).toContain('{"InstructionError":[0,{"Custom":1}]}')
    expect(await connection.getBalance(alice.publicKey)).toBe(999_995_000)
    const [entry] = await connection.getSignaturesForAddress(alice.publicKey)
    expect(entry?.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
  })

  it('refuses a blockhash after 150 blocks, and reports its expiry to the client', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const sign = (lamports: number) => {
      const transaction = transfer(alice, Keypair.generate().publicKey, lamports)
      transaction.recentBlockhash = blockhash
      transaction.sign(alice)
      return transaction.serialize()
    }
    chain.advanceSlots(150)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    await connection.sendRawTransaction(sign(1_000_000))
    chain.advanceSlots(1)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false)
    expect(await connection.getBlockHeight()).toBe(lastValidBlockHeight + 1)
    await expect(connection.sendRawTransaction(sign(2_000_000))).rejects.toThrow('Blockhash not found')
    const signature = await connection.sendRawTransaction(sign(3_000_000), { skipPreflight: true })
    const confirming = connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
    await expect(confirming).rejects.toThrow('block height exceeded')
  })

  it('runs the same transaction once, however long ago it ran', async () => {
    const connection = connectionForTest(await chainForTest())
    const alice = await funded(connection)
    const bob = Keypair.generate().publicKey
    const transaction = transfer(alice, bob, 1_000_000)
    await sendAndConfirmTransaction(connection, transaction, [alice])
    const { blockhash } = await connection.getLatestBlockhash()
    for (let index = 0; index < 100; index++) {
      const other = transfer(alice, alice.publicKey, index)
      other.recentBlockhash = blockhash
      other.sign(alice)
      await connection.sendRawTransaction(other.serialize(), { skipPreflight: true })
    }
    const raw = transaction.serialize()
    await expect(connection.sendRawTransaction(raw)).rejects.toThrow('This transaction has already been processed')
    await connection.sendRawTransaction(raw, { skipPreflight: true })
    expect(await connection.getBalance(bob)).toBe(1_000_000)
  })

  it('a durable nonce outlives every blockhash, and is used up when its transaction fails', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const connection = connectionForTest(chain)
    const alice = await funded(connection)
    const nonceKey = Keypair.generate()
    const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
    const create = SystemProgram.createNonceAccount({
      fromPubkey: alice.publicKey,
      noncePubkey: nonceKey.publicKey,
      authorizedPubkey: alice.publicKey,
      lamports: rent,
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(create), [alice, nonceKey])
    const nonceNow = async () => {
      const account = await connection.getAccountInfo(nonceKey.publicKey)
      return NonceAccount.fromAccountData(account?.data ?? Buffer.alloc(0)).nonce
    }
    const withNonce = async (lamports: number) => {
      const advance = { noncePubkey: nonceKey.publicKey, authorizedPubkey: alice.publicKey }
      const transaction = new Transaction().add(SystemProgram.nonceAdvance(advance))
      transaction.add(...transfer(alice, Keypair.generate().publicKey, lamports).instructions)
      transaction.recentBlockhash = await nonceNow()
      transaction.sign(alice)
      return transaction.serialize()
    }
    chain.advanceSlots(1)
    const first = await nonceNow()
    const raw = await withNonce(1_000_000)
    chain.advanceSlots(400)
    const signature = await connection.sendRawTransaction(raw)
    expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull()
    const second = await nonceNow()
    expect(second).not.toBe(first)

    const failing = await withNonce(1e15)
    chain.advanceSlots(1)
    const failed = await connection.sendRawTransaction(failing, { skipPreflight: true })
    expect((await connection.getSignatureStatus(failed)).value?.err).toEqual({ InstructionError: [1, { Custom: 1 }] })
    expect(await nonceNow()).not.toBe(second)
  })

  it('estimates exactly the fee that is later charged, including priority', async () => {
    const connection = connectionForTest(await chainForTest())
    const alice = await funded(connection)
    const priority = [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 })]
    for (const budget of [[], priority, [ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }), ...priority]]) {
      const transaction = new Transaction().add(
        ...budget,
        ...transfer(alice, Keypair.generate().publicKey, 1e6).instructions,
      )
      transaction.feePayer = alice.publicKey
      transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
      const fee = (await connection.getFeeForMessage(transaction.compileMessage())).value
      const signature = await sendAndConfirmTransaction(connection, transaction, [alice])
      const fetchedTransaction = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
      expect(fetchedTransaction?.meta?.fee).toBe(fee)
    }
  })

  it('returns recent priority fees: the lowest fee of each block, more for writes to an expensive account', async () => {
    const chain = await chainForTest({ slotMs: 0 })
    const connection = connectionForTest(chain)
    const [alice, bob] = [await funded(connection), await funded(connection)]
    chain.advanceSlots(1)
    for (const [payer, microLamports] of [
      [alice, 700],
      [bob, 300],
    ] as const) {
      const transaction = transfer(payer, Keypair.generate().publicKey, 1e6)
      transaction.add(ComputeBudgetProgram.setComputeUnitPrice({ microLamports }))
      transaction.feePayer = payer.publicKey
      transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
      transaction.sign(payer)
      await connection.sendRawTransaction(transaction.serialize())
    }
    const latest = async (...keys: Keypair[]) => {
      const lockedWritableAccounts = keys.map(({ publicKey }) => publicKey)
      const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts })
      return fees.at(-1)?.prioritizationFee
    }
    expect([await latest(), await latest(bob), await latest(bob, alice)]).toEqual([300, 300, 700])
    chain.advanceSlots(1)
    expect(await latest(alice)).toBe(0)
  })

  it('the faucet is finite, pays identical airdrops twice, and refuses with a clear error', async () => {
    const connection = connectionForTest(await chainForTest({ maxAirdropSol: 5 }))
    const key = Keypair.generate().publicKey
    const two = await Promise.all([connection.requestAirdrop(key, 1e9), connection.requestAirdrop(key, 1e9)])
    expect(new Set(two).size).toBe(2)
    expect(await connection.getBalance(key)).toBe(2e9)
    await expect(connection.requestAirdrop(key, 6e9)).rejects.toThrow('the faucet gives at most 5 SOL at a time')
    const { total, circulating } = (await connection.getSupply()).value
    expect(circulating).toBe(2e9)
    expect(total).toBe(5_000_000e9 - 10_000)
  })

  it('delays finality on request', async () => {
    const chain = await chainForTest({ slotMs: 0, finalitySlots: 32 })
    const connection = connectionForTest(chain)
    chain.advanceSlots(40)
    const alice = await funded(connection)
    const [entry] = await connection.getSignaturesForAddress(alice.publicKey)
    const status = async () => (await connection.getSignatureStatus(entry?.signature ?? '')).value
    expect(await status()).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 0 })
    expect(await connection.getSlot('finalized')).toBe((await connection.getSlot('confirmed')) - 32)
    const finalized = connection.confirmTransaction(entry?.signature ?? '', 'finalized')
    chain.advanceSlots(32)
    expect((await finalized).value.err).toBeNull()
    expect(await status()).toMatchObject({ confirmationStatus: 'finalized', confirmations: null })
  })
})
