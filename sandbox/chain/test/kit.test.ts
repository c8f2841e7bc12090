import * as kit from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { expect, it } from 'vitest'
import { chainForTest } from './support.js'

async function getFirst<T>(notifications: AsyncIterable<T>): Promise<T | undefined> {
  for await (const notification of notifications) return notification
  return undefined
}

it('runs with an unchanged @solana/kit: airdrop, transfer, confirmation, subscriptions, exact u64', async () => {
  const chain = await chainForTest()
  const rpc = kit.createSolanaRpc(chain.url)
  const rpcSubscriptions = kit.createSolanaRpcSubscriptions(chain.wsUrl)
  const [alice, bob] = await Promise.all([kit.generateKeyPairSigner(), kit.generateKeyPairSigner()])
  const abort = new AbortController()
  const abortSignal = abort.signal
  const slots = await rpcSubscriptions.slotNotifications().subscribe({ abortSignal })
  const accounts = await rpcSubscriptions
    .accountNotifications(bob.address, { commitment: 'confirmed' })
    .subscribe({ abortSignal })

  // kit drops notifications that arrive before the first read.
  const [firstAccount, firstSlot] = [getFirst(accounts), getFirst(slots)]

  const airdrop = kit.airdropFactory({ rpc, rpcSubscriptions })
  await airdrop({ recipientAddress: alice.address, lamports: kit.lamports(5_000_000_000n), commitment: 'confirmed' })
  const { value: latestBlockhash } = await rpc.getLatestBlockhash().send()
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    tx => kit.setTransactionMessageFeePayerSigner(alice, tx),
    tx => kit.setTransactionMessageLifetimeUsingBlockhash(latestBlockhash, tx),
    tx =>
      kit.appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: alice, destination: bob.address, amount: kit.lamports(1_000_000_000n) }),
        tx,
      ),
  )
  const transaction = await kit.signTransactionMessageWithSigners(message)
  kit.assertIsTransactionWithBlockhashLifetime(transaction)
  await kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(transaction, { commitment: 'finalized' })

  expect((await rpc.getBalance(bob.address).send()).value).toBe(1_000_000_000n)
  const info = (await rpc.getAccountInfo(bob.address, { encoding: 'base64' }).send()).value
  expect(info).toMatchObject({ lamports: 1_000_000_000n, space: 0n })
  const signature = kit.getSignatureFromTransaction(transaction)
  const fetchedTransaction = await rpc
    .getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: 'jsonParsed' })
    .send()
  expect(fetchedTransaction?.meta?.fee).toBe(5000n)

  expect((await firstAccount)?.value.lamports).toBe(1_000_000_000n)
  const slot = await firstSlot
  expect(slot?.slot).toBe((slot?.parent ?? 0n) + 1n)
  abort.abort()
})
