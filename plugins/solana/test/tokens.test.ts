/** Tests tokens on the sandbox's chain; @solana/spl-token creates them and verifies the results. */
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createEnableRequiredMemoTransfersInstruction,
  createInitializeAccount3Instruction,
  createInitializeDefaultAccountStateInstruction,
  createInitializeMint2Instruction,
  createInitializeNonTransferableMintInstruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createReallocateInstruction,
  ExtensionType,
  getAccountLen,
  getAssociatedTokenAddressSync,
  getMintLen,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackAccount,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Instruction, parseAmount, type TransactionStep } from '../src/index.js'
import { transferSol, transferToken } from '../src/programs/instructions.js'
import { FEE, SOL, setUpChain, signWith, type TestWallet } from './support.js'

const PROGRAMS = [
  ['SPL Token', TOKEN_PROGRAM_ID],
  ['Token-2022', TOKEN_2022_PROGRAM_ID],
] as const

const setup = setUpChain()
const { rich } = setup
const bank = Keypair.generate()
beforeAll(async () => {
  await setup.connection.requestAirdrop(bank.publicKey, 500 * LAMPORTS_PER_SOL)
})

function stranger() {
  return Keypair.generate().publicKey
}

async function run(instructions: readonly TransactionInstruction[], signers: readonly Keypair[] = []) {
  const transaction = new Transaction({ feePayer: bank.publicKey, ...(await setup.connection.getLatestBlockhash()) })
  transaction.add(...instructions)
  transaction.sign(bank, ...signers)
  await setup.connection.sendRawTransaction(transaction.serialize()) // This chain executes the transaction before it responds.
}

async function space(account: Keypair, programId: PublicKey, length: number) {
  return SystemProgram.createAccount({
    fromPubkey: bank.publicKey,
    newAccountPubkey: account.publicKey,
    space: length,
    lamports: await setup.connection.getMinimumBalanceForRentExemption(length),
    programId,
  })
}
interface MintOptions {
  readonly extensions?: readonly ExtensionType[]
  readonly before?: (mint: PublicKey) => readonly TransactionInstruction[]
}

async function getMint(programId: PublicKey, { extensions = [], before = () => [] }: MintOptions = {}) {
  const mint = Keypair.generate()
  const length = getMintLen([...extensions])
  await run(
    [
      await space(mint, programId, length),
      ...before(mint.publicKey),
      createInitializeMint2Instruction(mint.publicKey, 6, bank.publicKey, bank.publicKey, programId),
    ],
    [mint],
  )
  return mint.publicKey
}
/** Creates the owner's associated token account with the kit's own instruction; the bank funds it. */
async function fill(mint: PublicKey, programId: PublicKey, owner: PublicKey, amount: bigint) {
  const account = getAssociatedTokenAddressSync(mint, owner, true, programId)
  await run([
    createAssociatedTokenAccountIdempotentInstruction(bank.publicKey, account, owner, mint, programId),
    ...(amount ? [createMintToInstruction(mint, account, bank.publicKey, amount, [], programId)] : []),
  ])
  return account
}

async function held(owner: PublicKey, mint: PublicKey, programId: PublicKey) {
  const address = getAssociatedTokenAddressSync(mint, owner, true, programId)
  return unpackAccount(address, await setup.connection.getAccountInfo(address), programId)
}

function untouched(wallet: TestWallet) {
  return expect(wallet.asked).toHaveLength(0)
}

describe('a token transfer', () => {
  it.each(PROGRAMS)(
    '[S1.18] a transfer of %s arrives, creates the receiver’s account once, and reports its token at each step',
    async (_, program) => {
      const { solana, owner } = await rich()
      const mint = await getMint(program)
      await fill(mint, program, owner, 5_000_000n)
      const to = stranger()
      const input = { to: to.toBase58(), token: mint.toBase58(), memo: 'rent' }
      const steps: TransactionStep[] = []
      await solana.send({ ...input, amount: parseAmount('1.5', 6), onStep: step => steps.push(step) })
      expect(steps[0]).toMatchObject({
        transfers: [
          { amount: 1_500_000n, token: { program: program.toBase58(), decimals: 6, creates: true, withheld: 0n } },
        ],
      })
      expect((await held(to, mint, program)).amount).toBe(1_500_000n)
      const again = await (await solana.steps()).build({ ...input, amount: 1n })
      expect(again.transfers).toMatchObject([{ token: { creates: false } }])
      await solana.send({ ...input, amount: 1n })
      expect((await held(to, mint, program)).amount).toBe(1_500_001n)
      expect((await held(owner, mint, program)).amount).toBe(3_499_999n)
    },
  )
  it('sends tokens to a token account address, and from an account other than the associated one', async () => {
    const { solana, owner } = await rich()
    const mint = await getMint(TOKEN_PROGRAM_ID)
    const [source, destination] = [Keypair.generate(), Keypair.generate()]
    const to = stranger()
    for (const [account, holder] of [
      [source, owner],
      [destination, to],
    ] as const)
      await run(
        [
          await space(account, TOKEN_PROGRAM_ID, getAccountLen([])),
          createInitializeAccount3Instruction(account.publicKey, mint, holder),
        ],
        [account],
      )
    await run([createMintToInstruction(mint, source.publicKey, bank.publicKey, 100n)])
    await solana.send({ to: destination.publicKey.toBase58(), token: mint.toBase58(), amount: 40n })
    expect((await setup.connection.getTokenAccountBalance(destination.publicKey)).value.amount).toBe('40')
  })
  it('[S8.3] Source token account not found: for a sender without one, of a token that exists', async () => {
    const { solana, wallet } = await rich()
    const mint = await getMint(TOKEN_PROGRAM_ID)
    const sent = solana.send({ to: stranger().toBase58(), token: mint.toBase58(), amount: 1n })
    await expect(sent).rejects.toThrow(/^Source token account not found$/)
    untouched(wallet)
  })
  it('shows the token’s transfer fee before the signature, and the receiver gets the rest', async () => {
    const { solana, owner } = await rich()
    const mint = await getMint(TOKEN_2022_PROGRAM_ID, {
      extensions: [ExtensionType.TransferFeeConfig],
      before: mint => [
        createInitializeTransferFeeConfigInstruction(mint, null, null, 250, 40_000n, TOKEN_2022_PROGRAM_ID),
      ],
    })
    await fill(mint, TOKEN_2022_PROGRAM_ID, owner, 5_000_000n)
    const to = stranger()
    const input = { to: to.toBase58(), token: mint.toBase58() }
    const { build } = await solana.steps()
    const built = await build({ ...input, amount: 1_000_001n })
    expect(built.transfers).toMatchObject([{ token: { withheld: 25_001n } }]) // 2.5 %, rounded up.
    expect((await build({ ...input, amount: 4_000_000n })).transfers).toMatchObject([{ token: { withheld: 40_000n } }])
    await solana.send({ ...input, amount: 1_000_001n })
    const account = await held(to, mint, TOKEN_2022_PROGRAM_ID)
    expect(account.amount).toBe(975_000n)
    expect(getTransferFeeAmount(account)?.withheldAmount).toBe(25_001n)
  })
  it('refuses a token transfer without a memo to a receiver that requires one, and sends the memo', async () => {
    const { solana, owner, wallet } = await rich()
    const mint = await getMint(TOKEN_2022_PROGRAM_ID)
    await fill(mint, TOKEN_2022_PROGRAM_ID, owner, 100n)
    const to = Keypair.generate()
    const account = await fill(mint, TOKEN_2022_PROGRAM_ID, to.publicKey, 0n)
    const asks = [ExtensionType.MemoTransfer]
    await run(
      [
        createReallocateInstruction(account, bank.publicKey, asks, to.publicKey),
        createEnableRequiredMemoTransfersInstruction(account, to.publicKey),
      ],
      [to],
    )
    const input = { token: mint.toBase58(), amount: 7n }
    await expect(solana.send({ ...input, to: to.publicKey.toBase58() })).rejects.toMatchObject({
      code: 'memo_required',
    })
    untouched(wallet)
    await solana.send({ ...input, to: to.publicKey.toBase58(), memo: 'invoice 7' })
    expect((await held(to.publicKey, mint, TOKEN_2022_PROGRAM_ID)).amount).toBe(7n)
  })
  it('refuses a token transfer before signing: non-transferable, frozen, another token’s account, no token, too little', async () => {
    const { solana, owner, wallet } = await rich()
    const bound = await getMint(TOKEN_2022_PROGRAM_ID, {
      extensions: [ExtensionType.NonTransferable],
      before: mint => [createInitializeNonTransferableMintInstruction(mint, TOKEN_2022_PROGRAM_ID)],
    })
    const frozen = await getMint(TOKEN_2022_PROGRAM_ID, {
      extensions: [ExtensionType.DefaultAccountState],
      before: mint => [createInitializeDefaultAccountStateInstruction(mint, 2, TOKEN_2022_PROGRAM_ID)],
    })
    const [mint, other] = [await getMint(TOKEN_PROGRAM_ID), await getMint(TOKEN_PROGRAM_ID)]
    await fill(bound, TOKEN_2022_PROGRAM_ID, owner, 10n)
    await fill(frozen, TOKEN_2022_PROGRAM_ID, owner, 0n)
    await fill(mint, TOKEN_PROGRAM_ID, owner, 10n)
    const others = await fill(other, TOKEN_PROGRAM_ID, owner, 10n)
    const to = stranger().toBase58()
    const cases = [
      [{ to, token: bound }, 'token_refused', /bound to its holder/],
      [{ to, token: frozen }, 'token_refused', /frozen/],
      [{ to: others.toBase58(), token: mint }, 'token_refused', /another token/],
      [{ to: other.toBase58(), token: mint }, 'token_refused', /not a wallet/],
      [{ to, token: stranger() }, 'token_refused', /the token does not exist/],
      [{ to, token: mint, amount: 11n }, 'insufficient_funds', /Insufficient funds/],
    ] as const
    for (const [input, code, message] of cases)
      await expect(solana.send({ amount: 1n, ...input, token: input.token.toBase58() })).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      })
    untouched(wallet)
  })
  it('lists a wallet’s token accounts of both token programs', async () => {
    const { solana, owner, wallet } = await rich()
    const mints = [await getMint(TOKEN_PROGRAM_ID), await getMint(TOKEN_2022_PROGRAM_ID)]
    await fill(mints[0] ?? owner, TOKEN_PROGRAM_ID, owner, 12n)
    await fill(mints[1] ?? owner, TOKEN_2022_PROGRAM_ID, owner, 2n ** 64n - 1n)
    const { tokenAccounts } = await solana.steps()
    expect(await tokenAccounts(wallet.address)).toMatchObject([
      { mint: mints[0]?.toBase58(), program: TOKEN_PROGRAM_ID.toBase58(), amount: 12n, decimals: 6, frozen: false },
      { mint: mints[1]?.toBase58(), program: TOKEN_2022_PROGRAM_ID.toBase58(), amount: 2n ** 64n - 1n },
    ])
    await expect(tokenAccounts('unknown')).rejects.toMatchObject({ code: 'address_invalid' })
  })
})
it('simulates the balance changes of SOL and tokens before the signature', async () => {
  const { solana, owner, wallet } = await rich()
  const mint = await getMint(TOKEN_PROGRAM_ID)
  await fill(mint, TOKEN_PROGRAM_ID, owner, 100n)
  const to = stranger().toBase58()
  const { build, simulate } = await solana.steps()
  const tokens = await simulate(await build({ to, token: mint.toBase58(), amount: 30n }))
  const rent = BigInt(await setup.connection.getMinimumBalanceForRentExemption(165))
  expect(tokens).toMatchObject({
    changes: [
      { owner: wallet.address, before: 10n * SOL, after: 10n * SOL - rent - FEE },
      { owner: wallet.address, before: 100n, after: 70n, token: { mint: mint.toBase58(), decimals: 6 } },
      { owner: to, before: 0n, after: 30n, token: { mint: mint.toBase58() } },
    ],
  })
  expect(tokens.failure).toBeUndefined()
  expect(tokens.units).toBeGreaterThan(0)
  const sol = await simulate(await build({ to, lamports: SOL }))
  expect(sol.changes).toEqual([
    { owner: wallet.address, before: 10n * SOL, after: 9n * SOL - FEE },
    { owner: to, before: 0n, after: SOL },
  ])
  untouched(wallet)
})
it.each([
  [
    'System',
    { program: '11111111111111111111111111111111', accounts: [], data: new Uint8Array([99, 0, 0, 0]) },
    'InvalidInstructionData',
  ],
  [
    'ComputeBudget',
    { program: 'ComputeBudget111111111111111111111111111111', accounts: [], data: new Uint8Array([9]) },
    'InvalidInstructionData',
  ],
  [
    'Memo',
    {
      program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      accounts: [{ address: TOKEN_PROGRAM_ID.toBase58() }],
      data: new Uint8Array([65]),
    },
    'MissingRequiredSignature',
  ],
  ['Token', { program: TOKEN_PROGRAM_ID.toBase58(), accounts: [], data: new Uint8Array([200]) }, 'InvalidInstruction'],
  [
    'Token-2022',
    { program: TOKEN_2022_PROGRAM_ID.toBase58(), accounts: [], data: new Uint8Array([26, 99]) },
    'InvalidInstruction',
  ],
  [
    'Associated Token',
    { program: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', accounts: [], data: new Uint8Array([1]) },
    'NotEnoughAccountKeys',
  ],
] as const)(
  '[S8.3] names the error of the program %s in a failed simulation, and returns its full log',
  async (_, instruction: Instruction, name) => {
    const { solana } = await rich()
    const { build, simulate } = await solana.steps()
    const { failure, changes, logs } = await simulate(await build({ instructions: [instruction] }))
    expect(failure?.name).toBe(name)
    expect(changes).toEqual([])
    await expect(solana.send({ instructions: [instruction] })).rejects.toMatchObject({
      message: 'Transaction failed',
      details: { name, logs },
    })
  },
)
it('names error numbers of System, Token and Token-2022, also when another program calls them', async () => {
  const { solana, owner, wallet } = await rich()
  const { build } = await solana.steps()
  const getFailure = async (instruction: Instruction) => (await build({ instructions: [instruction] })).trial?.failure
  expect(await getFailure(transferSol(wallet.address, stranger().toBase58(), 20n * SOL))).toMatchObject({
    name: 'ResultWithNegativeLamports',
    reason: 'instruction 1: the account does not hold enough lamports',
  })
  for (const [, program] of PROGRAMS) {
    const mint = await getMint(program)
    const source = await fill(mint, program, owner, 1n)
    const destination = await fill(mint, program, stranger(), 0n)
    const transfer = {
      program: program.toBase58(),
      mint: mint.toBase58(),
      source: source.toBase58(),
      destination: destination.toBase58(),
      owner: wallet.address,
    }
    expect(await getFailure(transferToken({ ...transfer, decimals: 6, amount: 2n }))).toMatchObject({
      name: 'InsufficientFunds',
      program: program.toBase58(),
      reason: 'instruction 1: the account does not hold enough tokens',
    })
    expect(await getFailure(transferToken({ ...transfer, decimals: 7, amount: 1n }))).toMatchObject({
      name: 'MintDecimalsMismatch',
    })
  }
})
it('sets the measured compute units plus a margin, and keeps the priority fee under its cap', async () => {
  const { solana } = await rich()
  const { build, fee } = await solana.steps()
  const input = { to: stranger().toBase58(), lamports: SOL }
  const priced = await fee(await build({ ...input, priority: { percentile: 90, maxLamports: 700n } }))
  const { message } = VersionedTransaction.deserialize(priced.transaction)
  const [limit, price] = message.compiledInstructions.map(({ data }) => Buffer.from(data))
  const units = limit?.readUInt32LE(1) ?? 0
  expect(limit?.[0]).toBe(2)
  expect(price?.[0]).toBe(3)
  expect(units).toBeGreaterThan(priced.trial?.units ?? 0)
  expect(units).toBeLessThan(2000)
  expect(priced.fee - FEE).toBeLessThanOrEqual(700n)
  await solana.send({ ...input, priority: 'high' })
})
it('sends SOL and tokens to several receivers in one transaction with one wallet request', async () => {
  const { solana, owner, wallet } = await rich()
  const mint = await getMint(TOKEN_PROGRAM_ID)
  await fill(mint, TOKEN_PROGRAM_ID, owner, 100n)
  const receivers = [stranger(), stranger(), stranger()]
  const transfers = receivers.map((to, index) => ({ to: to.toBase58(), amount: SOL * BigInt(index + 1) }))
  await solana.send({ transfers })
  for (const [index, to] of receivers.entries())
    expect(BigInt(await setup.connection.getBalance(to))).toBe(SOL * BigInt(index + 1))
  await solana.send({ token: mint.toBase58(), transfers: receivers.map(to => ({ to: to.toBase58(), amount: 5n })) })
  for (const to of receivers) expect((await held(to, mint, TOKEN_PROGRAM_ID)).amount).toBe(5n)
  expect(wallet.asked).toHaveLength(2)
})
it('finds the sender’s lookup table when the transaction fits only with that table', async () => {
  const { solana, owner, wallet } = await rich()
  const receivers = Array.from({ length: 26 }, stranger)
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: owner,
    payer: owner,
    recentSlot: (await setup.connection.getSlot()) - 1,
  })
  const extend = [0, 13].map(start =>
    AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: owner,
      payer: owner,
      addresses: receivers.slice(start, start + 13),
    }),
  )
  for (const { programId, keys, data } of [create, ...extend])
    await solana.send({
      instructions: [
        {
          program: programId.toBase58(),
          accounts: keys.map(key => ({
            address: key.pubkey.toBase58(),
            signer: key.isSigner,
            writable: key.isWritable,
          })),
          data,
        },
      ],
    })
  setup.chain.advanceSlots(1)
  const transfers = receivers.map(to => ({ to: to.toBase58(), amount: 1_000_000n }))
  const { build } = await solana.steps()
  await expect(build({ transfers, version: 'legacy' })).rejects.toMatchObject({ code: 'invalid_transaction' })
  const discovered = VersionedTransaction.deserialize((await build({ transfers })).transaction)
  const named = VersionedTransaction.deserialize(
    (await build({ transfers, lookupTables: [table.toBase58()] })).transaction,
  )
  expect(discovered.message.addressTableLookups).toMatchObject([{ accountKey: table }])
  expect(named.message.addressTableLookups).toEqual(discovered.message.addressTableLookups)
  await solana.send({ transfers })
  for (const to of receivers) expect(await setup.connection.getBalance(to)).toBe(1_000_000)
  const { simulate } = await solana.steps()
  expect((await simulate(await build({ transfers }))).changes).toHaveLength(27)
  expect(wallet.asked).toHaveLength(4)
})
it('builds a version 0 transaction on request', async () => {
  const { solana } = await rich()
  const { transaction } = await (await solana.steps()).build({ to: stranger().toBase58(), lamports: SOL, version: 0 })
  expect(VersionedTransaction.deserialize(transaction).version).toBe(0)
})
it('a durable nonce outlives every blockhash and lands once; a nonce that has advanced is reported as expired', async () => {
  const { solana, owner, wallet } = await rich()
  const nonce = Keypair.generate()
  await run(
    [
      await space(nonce, SystemProgram.programId, NONCE_ACCOUNT_LENGTH),
      SystemProgram.nonceInitialize({ noncePubkey: nonce.publicKey, authorizedPubkey: owner }),
    ],
    [nonce],
  )
  const to = stranger().toBase58()
  const { build, fee, sign, submit, confirm } = await solana.steps()
  setup.chain.advanceSlots(1)
  const signed = await sign(
    await fee(await build({ to, lamports: SOL, nonce: { account: nonce.publicKey.toBase58() } })),
  )
  setup.chain.advanceSlots(200)
  await submit(signed)
  await confirm(signed)
  expect(BigInt(await solana.getBalance(to))).toBe(SOL)
  const info = await setup.connection.getAccountInfo(nonce.publicKey)
  expect(info && NonceAccount.fromAccountData(info.data).nonce).not.toBe(signed.nonce?.value)
  // Its nonce has advanced since signing: it never lands, and the error says so.
  const stale = { ...signed, signature: '1'.repeat(64) }
  await expect(confirm({ ...stale, transaction: signed.transaction })).rejects.toMatchObject({
    details: { state: 'expired' },
  })
  await expect(build({ to, lamports: SOL, nonce: { account: wallet.address } })).rejects.toMatchObject({
    code: 'invalid_transaction',
  })
})
it('another account pays the fee and cosigns; a cosigner that changes the bytes is refused', async () => {
  const { solana, wallet } = await rich()
  const to = stranger().toBase58()
  const input = { to, lamports: SOL, feePayer: bank.publicKey.toBase58() }
  await solana.send({ ...input, cosign: async bytes => signWith(bank, bytes) })
  expect(await solana.getBalance(wallet.address)).toBe(9n * SOL)
  await expect(solana.send(input)).rejects.toMatchObject({ details: { reason: 'a signature is missing' } })
  const { build } = await solana.steps()
  const other = await build({ to: stranger().toBase58(), lamports: SOL })
  await expect(solana.send({ ...input, cosign: async () => other.transaction })).rejects.toMatchObject({
    details: { reason: 'a co-signer changed the transaction' },
  })
  await expect(
    solana.send({
      ...input,
      cosign: async bytes => {
        bytes.set(other.transaction)
        return bytes
      },
    }),
  ).rejects.toMatchObject({ details: { reason: 'a co-signer changed the transaction' } })
  expect(await solana.getBalance(wallet.address)).toBe(9n * SOL)
})
it('refuses an empty transaction, and invalid addresses and amounts in every field', async () => {
  const { solana, wallet } = await rich()
  const to = stranger().toBase58()
  const { build } = await solana.steps()
  await expect(build({ instructions: [] })).rejects.toThrow(/^Destination is required$/)
  await expect(build({ transfers: [] })).rejects.toThrow(/^Destination is required$/)
  for (const input of [
    { to, token: 'x', amount: 1n },
    { to, lamports: 1n, feePayer: 'x' },
    { to, lamports: 1n, lookupTables: ['x'] },
    { to, lamports: 1n, nonce: { account: 'x' } },
    { instructions: [{ program: 'x', accounts: [], data: new Uint8Array() }] },
  ])
    await expect(build(input)).rejects.toMatchObject({ code: 'address_invalid' })
  await expect(build({ transfers: [{ to, amount: 0n }] })).rejects.toMatchObject({ code: 'amount_invalid' })
  await expect(build({ to, lamports: SOL, computeUnits: 0 })).rejects.toMatchObject({ code: 'invalid_transaction' })
  await expect(build({ to, lamports: SOL, priority: { percentile: 101, maxLamports: 1n } })).rejects.toMatchObject({
    code: 'amount_invalid',
  })
  untouched(wallet)
})
