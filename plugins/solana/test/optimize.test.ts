/** Tests the product API's part in a transaction (S7.1, S8.9), with responses from the test, including hostile ones. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LogEntry } from '@keybay/kernel'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import type { Instruction, SendInput, TransactionStep } from '../src/index.js'
import { SOL, setUpChain, stranger, TestClock, testWallet } from './support.js'

const sponsor = Keypair.generate()
const setup = setUpChain()

interface Asked {
  readonly path: string | undefined
  readonly version: unknown
  readonly body: { readonly address: string; readonly transaction: string; readonly sponsor?: boolean }
}
type Api = (bytes: Buffer) => { readonly status?: number; readonly body: unknown } | undefined
async function api(answer: Api) {
  const requests: Asked[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', part => {
      text += part
    })
    request.on('end', () => {
      const body: Asked['body'] = JSON.parse(text)
      requests.push({ path: request.url, version: request.headers['x-keybay-version'], body })
      const reply = answer(Buffer.from(body.transaction, 'base64'))
      if (!reply) return // Never responds.
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(reply.body))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  setup.closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { asked: requests, url: `http://127.0.0.1:${port}/api/v0` }
}
/** Builds the API's version of the instructions, with `payer` instead of the sender. */
function changed(
  change: (instructions: readonly TransactionInstruction[]) => readonly TransactionInstruction[],
  { payer, blockhash }: { readonly payer?: Keypair; readonly blockhash?: string } = {},
): Api {
  return bytes => {
    const message = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
    const made = new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer?.publicKey ?? message.payerKey,
        recentBlockhash: blockhash ?? message.recentBlockhash,
        instructions: [...change(message.instructions)],
      }).compileToLegacyMessage(),
    )
    if (payer) made.sign([payer])
    return { body: { transaction: Buffer.from(made.serialize()).toString('base64') } }
  }
}

function limit(units: number) {
  return ComputeBudgetProgram.setComputeUnitLimit({ units })
}

function budget(microLamports: number) {
  return [limit(10_000), ComputeBudgetProgram.setComputeUnitPrice({ microLamports })]
}
/** Builds the same as one of the app's own instructions. */
function ownPrice(microLamports: number): Instruction {
  const { programId, data } = ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
  return { program: programId.toBase58(), accounts: [], data }
}
/** Builds a transfer from the sender of the first one to another receiver. */
function payTo(first: TransactionInstruction | undefined, lamports: bigint) {
  const fromPubkey = first?.keys[0]?.pubkey ?? PublicKey.default
  return SystemProgram.transfer({ fromPubkey, toPubkey: sponsor.publicKey, lamports })
}

function withoutBudget(all: readonly TransactionInstruction[]) {
  return all.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId))
}
/** Creates an app on mainnet whose node is the sandbox's chain. */
async function onMainnet(answer: Api, clock?: TestClock) {
  const { asked, url: apiUrl } = await api(answer)
  const wallet = testWallet(['solana:mainnet'])
  const endpoint = { rpcUrl: setup.chain.url, webSocketUrl: setup.chain.wsUrl }
  const solana = { cluster: 'mainnet-beta' as const, endpoints: { 'mainnet-beta': endpoint, localnet: endpoint } }
  const made = await setup.rich({ wallets: [wallet], apiUrl, solana, ...(clock && { clock }) })
  await setup.connection.requestAirdrop(new PublicKey(wallet.address), Number(10n * SOL))
  return { ...made, wallet, asked, to: stranger() }
}
/** Counts the node's calls for one send, and checks that the quoted fee is the fee paid. */
async function sendCounted({ solana, to }: Awaited<ReturnType<typeof onMainnet>>, sponsor = false) {
  const calls: string[] = []
  const real = fetch
  const counting: typeof fetch = (url, init) => {
    if (String(url).startsWith(setup.chain.url)) calls.push(JSON.parse(String(init?.body)).method)
    return real(url, init)
  }
  vi.stubGlobal('fetch', counting)
  let quoted: bigint | undefined
  const onStep = (step: TransactionStep) => {
    if (step.step === 'fee') quoted = step.fee
  }
  const { signature } = await solana.send({ to, lamports: SOL, sponsor, onStep })
  vi.stubGlobal('fetch', real)
  const landed = await setup.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(quoted).toBe(BigInt(landed?.meta?.fee ?? -1))
  return calls
}

function signedBytes(wallet: ReturnType<typeof testWallet>) {
  const bytes = wallet.asked[0]?.transaction
  if (!bytes) throw new Error('nothing was signed')
  return TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message)
}

it('[S7.1] calls the product API once, and signs and pays its compute budget and priority fee', async () => {
  const { solana, wallet, asked, to } = await onMainnet(changed(all => [...budget(500_000), ...all]))
  const steps: TransactionStep[] = []
  await solana.send({ to, lamports: SOL, onStep: step => steps.push(step) })
  expect(asked).toMatchObject([
    { path: '/api/v0/sdk/local/solana/optimize', body: { address: wallet.address, networkId: 101 } },
  ])
  expect(asked[0]?.version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(steps).toContainEqual(expect.objectContaining({ step: 'fee', fee: 10_000n })) // 5,000 + 10,000 × 0.5
  expect(signedBytes(wallet).instructions).toHaveLength(3)
  expect(await solana.getBalance(to)).toBe(SOL)
  expect(await solana.getBalance(wallet.address)).toBe(9n * SOL - 10_000n)
})
it('[S7.1] an optimized send makes no node call for the fee: the trial run gives the fee that the chain takes', async () => {
  const made = await onMainnet(changed(all => [...budget(500_000), ...all]))
  expect(await sendCounted(made)).toEqual(['simulateTransaction', 'sendTransaction'])
})
it('[S7.1] reads the fee from the node when the product API sets a price and the chain sets the limit', async () => {
  const made = await onMainnet(changed(all => [...budget(500_000).slice(1), ...all]))
  expect(await sendCounted(made)).toContain('getFeeForMessage')
})
it('[S7.1] [S8.3] counts the product API’s priority fee among the funds needed', async () => {
  const { solana, wallet, to } = await onMainnet(changed(all => [...budget(500_000), ...all]))
  const refused = solana.send({ to, lamports: 10n * SOL - 5000n })
  await expect(refused).rejects.toThrow(/^Insufficient funds\.$/)
  await expect(refused).rejects.toMatchObject({ details: { needed: String(10n * SOL + 5000n) } })
  expect(wallet.asked).toHaveLength(0)
})
it.each<[string, TransactionInstruction | undefined, Partial<SendInput>]>([
  ['a price to their limit', budget(1000)[1], { computeUnits: 10_000 }],
  ['a limit to their price', limit(100_000), { instructions: [ownPrice(1_000_000)] }],
  [
    'what is neither to both, which come to more than the API may put on top',
    ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 }),
    { computeUnits: 400_000, instructions: [ownPrice(3_000_000)] },
  ],
])('[S7.1] keeps the sender’s own compute budget when the product API adds %s', async (_, added, ownInput) => {
  const { solana, to } = await onMainnet(changed(all => [...(added ? [added] : []), ...all]))
  const { build, optimize } = await solana.steps()
  const built = await build({ to, lamports: SOL, ...ownInput })
  expect((await optimize(built)).transaction).not.toEqual(built.transaction)
})
it.each<[string, Api, Partial<SendInput>?]>([
  ['an error', () => ({ status: 500, body: { code: 'internal', message: 'no' } })],
  ['nonsense', () => ({ body: { transaction: 'AAAA' } })],
  ['nothing', () => ({ body: {} })],
  ['another receiver', changed(([first, ...rest]) => [payTo(first, SOL), ...rest])],
  ['one more transfer', changed(all => [...all, payTo(all[0], 1n)])],
  ['one instruction less', changed(([first]) => (first ? [first] : []))],
  ['another order', changed(all => all.toReversed())],
  [
    'an account that may write now',
    changed(all =>
      all.map((instruction, index) => {
        if (index) instruction.keys.push({ pubkey: sponsor.publicKey, isSigner: false, isWritable: true })
        return instruction
      }),
    ),
  ],
  ['another blockhash', changed(all => all, { blockhash: sponsor.publicKey.toBase58() })],
  ['a fee out of all proportion', changed(all => [...budget(1_000_000_000), ...all])],
  [
    'a price in the place of the sender’s own, which had a cap',
    changed(all => [...budget(50_000_000), ...withoutBudget(all)]),
    { priority: { percentile: 50, maxLamports: 100n } },
  ],
  ['no price where the sender chose one', changed(withoutBudget), { priority: 'high' }],
  ['another limit than the sender’s', changed(all => [...budget(1000), ...withoutBudget(all)]), { computeUnits: 5000 }],
  [
    'a limit that makes the sender’s own price dearer',
    changed(all => [limit(900_000), ...all]),
    { instructions: [ownPrice(1_000_000)] },
  ],
  ['the same budget twice', changed(all => [...budget(1), ...budget(1), ...all])],
  [
    'a payer who has not signed',
    bytes => {
      const text: unknown = Reflect.get(Object(changed(all => all, { payer: sponsor })(bytes)?.body), 'transaction')
      const made = VersionedTransaction.deserialize(Buffer.from(String(text), 'base64'))
      made.signatures[0]?.fill(0)
      return { body: { transaction: Buffer.from(made.serialize()).toString('base64') } }
    },
  ],
])('[S7.1] signs the original transaction when the product API returns %s', async (_, answer, ownInput = {}) => {
  const { solana, wallet, asked, to } = await onMainnet(answer)
  const { build, optimize } = await solana.steps()
  const built = await build({ to, lamports: SOL, memo: 'a', ...ownInput })
  expect(await optimize(built)).toBe(built)
  expect(asked).toHaveLength(1)
  expect(wallet.asked).toHaveLength(0)
})
it('[S7.1] logs a failed optimization, and lands the original transaction', async () => {
  const { keybay, asked, to } = await onMainnet(() => ({ status: 500, body: {} }))
  const logged: LogEntry[] = []
  keybay.on('log', entry => logged.push(entry))
  await keybay.solana.send({ to, lamports: SOL })
  expect(asked).toHaveLength(1)
  expect(logged).toMatchObject([{ level: 'error', message: expect.stringMatching(/could not be optimized/) }])
  expect(await keybay.solana.getBalance(to)).toBe(SOL)
})
it('[S7.1] waits at most five seconds for a product API that never responds', async () => {
  const clock = new TestClock()
  const { solana, to } = await onMainnet(() => undefined, clock)
  const { build, optimize } = await solana.steps()
  const built = await build({ to, lamports: SOL })
  const waiting = optimize(built)
  await clock.pass(5000)
  expect(await waiting).toBe(built)
})
it('[S7.1] does not send signed transactions or those of other networks to the product API', async () => {
  const { solana, asked, to, wallet } = await onMainnet(changed(all => all))
  const { build, fee, sign, optimize } = await solana.steps()
  const built = await build({ to, lamports: SOL })
  const signed = await sign(await fee(built))
  expect(await optimize(signed)).toBe(signed)
  expect(await optimize({ ...built, networkId: 104 })).toEqual({ ...built, networkId: 104 })
  expect(asked).toHaveLength(0)
  expect(wallet.asked).toHaveLength(1)
})

describe('sponsorship', () => {
  const send = async (answer: Api, input: Partial<SendInput> = {}) => {
    const made = await onMainnet(answer)
    return { ...made, sent: made.solana.send({ to: made.to, lamports: SOL, ...input, sponsor: true }) }
  }
  it('[S8.9] the sponsor pays the fee, and the sender pays only the amount', async () => {
    await setup.connection.requestAirdrop(sponsor.publicKey, 1e9)
    const { sent, solana, wallet, asked } = await send(changed(all => [...budget(1000), ...all], { payer: sponsor }))
    await sent
    expect(asked[0]?.body.sponsor).toBe(true)
    expect(await solana.getBalance(wallet.address)).toBe(9n * SOL)
  })
  it('[S8.9] a sponsored send makes no node call for the fee: the trial run gives the fee per signature', async () => {
    const made = await onMainnet(changed(all => [...budget(1000), ...all], { payer: sponsor }))
    expect(await sendCounted(made, true)).toHaveLength(2)
  })
  it('[S8.9] a sponsored sender can send the whole balance without keeping any for the fee', async () => {
    const { sent, solana, wallet } = await send(
      changed(all => [...budget(1000), ...all], { payer: sponsor }),
      { lamports: 10n * SOL },
    )
    await sent
    expect(await solana.getBalance(wallet.address)).toBe(0n)
  })
  it('[S8.3] [S8.9] Transaction gas cannot be sponsored.: no policy applies, and nothing is signed', async () => {
    const refusals = [
      { code: 'bad_request', message: 'No gas sponsoring policy found for this transaction' },
      { code: 'no_gas_sponsoring_policy', message: 'no' },
      { code: 'internal', message: 'no' },
    ]
    for (const body of refusals) {
      const { sent, wallet } = await send(() => ({ status: 400, body }))
      await expect(sent).rejects.toThrow(/^Transaction gas cannot be sponsored\.$/)
      expect(wallet.asked).toHaveLength(0)
    }
  })
  it('[S8.9] refuses a sponsored transaction whose fee the sender still pays', async () => {
    const { sent, wallet } = await send(changed(all => [...budget(1), ...all]))
    await expect(sent).rejects.toThrow(/^Transaction gas cannot be sponsored\.$/)
    expect(wallet.asked).toHaveLength(0)
  })
  it('[S8.9] refuses sponsorship on a network where the app does not call the product API', async () => {
    const { keybay, to } = await onMainnet(changed(all => all))
    keybay.solana.networks.select(104)
    await expect(keybay.solana.send({ to, lamports: SOL, sponsor: true })).rejects.toMatchObject({
      code: 'gas_not_sponsored',
    })
  })
  it('[S8.9] Insufficient funds. when the product API requires a prefund', async () => {
    const { sent, wallet } = await send(() => ({ status: 400, body: { code: 'x', message: 'Insufficient prefund' } }))
    await expect(sent).rejects.toThrow(/^Insufficient funds\.$/)
    expect(wallet.asked).toHaveLength(0)
  })
})
