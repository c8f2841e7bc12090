/** Step 1: the bytes of a transfer. */

import { addressInvalid, destinationMissing, invalidTransaction } from '@keybay/kernel/spec'
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { Buffer } from 'buffer'
import { isAddress } from '../base58.js'
import type { Client } from '../client.js'
import { MOST_LAMPORTS } from '../decimal.js'
import { amountInvalid } from '../errors.js'
import { fault } from '../fault.js'
import { getLatestBlockhash } from '../rpc/calls.js'
import type { BuiltTransaction, CallOptions, TransferInput } from '../steps.js'

const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
/** What a network packet holds; the chain takes no larger transaction. */
const MOST_BYTES = 1232
/** Far above what a transfer with a memo uses, and no fee depends on it while there is no priority fee. */
const COMPUTE_UNITS = 200_000

/** @throws KeybayError `destination_missing` (S5.5), `address_invalid` (S5.4), `amount_invalid` */
export const checkTransfer = ({ from, to, lamports }: TransferInput): void => {
  if (!to) throw fault(destinationMissing)
  if (!isAddress(to) || (from !== undefined && !isAddress(from))) throw fault(addressInvalid)
  if (typeof lamports !== 'bigint' || lamports <= 0n || lamports > MOST_LAMPORTS) throw fault(amountInvalid)
}

/** How often these bytes were built before: equal bytes are one transaction to the chain, and would land once. */
export type CountSame = (bytes: Uint8Array) => number

const compile = (transfer: TransferInput & { readonly from: string }, blockhash: string, same: number): Uint8Array => {
  const payer = new PublicKey(transfer.from)
  const instructions: TransactionInstruction[] = [
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: new PublicKey(transfer.to), lamports: transfer.lamports }),
  ]
  if (transfer.memo)
    instructions.push(
      new TransactionInstruction({
        programId: MEMO_PROGRAM,
        keys: [{ pubkey: payer, isSigner: true, isWritable: false }],
        data: Buffer.from(transfer.memo),
      }),
    )
  if (same) instructions.unshift(ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS + same }))
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions })
  try {
    const bytes = new VersionedTransaction(message.compileToLegacyMessage()).serialize()
    if (bytes.length <= MOST_BYTES) return bytes
  } catch {
    // The library's own buffer is as large as a packet.
  }
  throw fault(invalidTransaction, { details: { reason: `larger than ${MOST_BYTES} bytes` } })
}

export const buildTransfer = async (
  { rpc, record }: Client,
  transfer: TransferInput & { readonly from: string },
  countSame: CountSame,
  { signal }: CallOptions,
): Promise<BuiltTransaction> => {
  checkTransfer(transfer)
  const { from, to, lamports, memo } = transfer
  const { blockhash, lastValidBlockHeight } = await getLatestBlockhash(rpc, 'confirmed', { signal })
  const plain = compile(transfer, blockhash, 0)
  const same = countSame(plain)
  return {
    networkId: record.networkId,
    from,
    transaction: same ? compile(transfer, blockhash, same) : plain,
    lastValidBlockHeight,
    transfer: { to, lamports, memo },
  }
}
