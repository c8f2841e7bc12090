/** Everything to another address: tokens first, SOL last. For a key that was recovered, and for one that was never whole. */
import { toBase64 } from '@keybay/kernel/spec'
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes } from '@noble/curves/utils.js'
import bs58 from 'bs58'
import * as v from 'valibot'
import { signWithScalar } from '../mpc/index.js'
import {
  closeTokens,
  messageOf,
  moveTokens,
  type Step,
  TOKEN_PROGRAMS,
  type TokenAccount,
  transfer,
} from './message.js'
import type { Rpc } from './rpc.js'

export interface SweepInput {
  /** Of the wallet: 32 bytes, little-endian; `recoverKey` gives it. A secret. */
  readonly scalar: Uint8Array
  /** A fresh address that nobody else has had. */
  readonly to: string
  readonly rpc: Rpc
  /** Between two looks whether a transaction has arrived. Default: a second of real time. */
  readonly pause?: (() => Promise<void>) | undefined
  /** Hears what was moved. */
  readonly onMoved?: ((moved: Moved) => void) | undefined
}
export interface Moved {
  /** `SOL`, or the token's mint. */
  readonly what: string
  /** In the smallest unit. */
  readonly amount: bigint
  readonly signature: string
}
export interface Swept {
  readonly from: string
  readonly moved: readonly Moved[]
  /** Mints that stay, and why, in the node's words. */
  readonly left: readonly { readonly mint: string; readonly why: string }[]
}

const FEE = 5_000n
const LOOKS = 120
const CONFIRMED = { commitment: 'confirmed' } as const

const blockhashSchema = v.object({ value: v.object({ blockhash: v.string() }) })
const balanceSchema = v.object({ value: v.number() })
const accountsSchema = v.object({
  value: v.array(
    v.object({
      pubkey: v.string(),
      account: v.object({
        data: v.object({
          parsed: v.object({
            info: v.object({
              mint: v.string(),
              tokenAmount: v.object({ amount: v.string(), decimals: v.number() }),
            }),
          }),
        }),
      }),
    }),
  ),
})
const statusSchema = v.object({
  value: v.array(v.nullable(v.object({ err: v.unknown(), confirmationStatus: v.nullish(v.string()) }))),
})

function second(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 1_000))
}

function addressOf(scalar: Uint8Array): string {
  const { Point } = ed25519
  return bs58.encode(Point.BASE.multiply(Point.Fn.fromBytes(scalar)).toBytes())
}

/** Sends, and waits until the cluster has it. @throws Error in the node's words */
async function send(
  { scalar, rpc, pause = second }: SweepInput,
  from: string,
  steps: readonly Step[],
): Promise<string> {
  const { value } = await rpc('getLatestBlockhash', [CONFIRMED], blockhashSchema)
  const message = messageOf(from, steps, value.blockhash)
  const transaction = concatBytes(Uint8Array.of(1), signWithScalar(scalar, message), message)
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
  const signature = await rpc('sendTransaction', [toBase64(transaction), options], v.string())
  for (let look = 0; look < LOOKS; look++) {
    const { value: statuses } = await rpc('getSignatureStatuses', [[signature]], statusSchema)
    const [status] = statuses
    if (status && status.err !== null) throw new Error(JSON.stringify(status.err))
    if (status && status.confirmationStatus !== 'processed') return signature
    await pause()
  }
  throw new Error(`${signature} was sent, and nobody has seen it arrive. Look for it before you try again.`)
}

async function tokensOf(rpc: Rpc, owner: string): Promise<readonly TokenAccount[]> {
  const lists = await Promise.all(
    TOKEN_PROGRAMS.map(async program => {
      const filter = [owner, { programId: program }, { encoding: 'jsonParsed', ...CONFIRMED }]
      const { value } = await rpc('getTokenAccountsByOwner', filter, accountsSchema)
      return value.map(({ pubkey, account }) => {
        const { mint, tokenAmount } = account.data.parsed.info
        return { address: pubkey, mint, program, amount: BigInt(tokenAmount.amount), decimals: tokenAmount.decimals }
      })
    }),
  )
  return lists.flat()
}

/** An account with what it holds; one that cannot be closed (withheld fees, another authority) is emptied all the same. */
async function sweepTokens(input: SweepInput, from: string, account: TokenAccount): Promise<string> {
  const { to } = input
  const move = account.amount > 0n ? moveTokens(from, to, account) : []
  try {
    return await send(input, from, [...move, closeTokens(from, to, account)])
  } catch (error) {
    if (move.length === 0) throw error
    return send(input, from, move)
  }
}

/**
 * Moves all SOL, and every token of both token programs. What cannot be moved is left, and said.
 *
 * @throws Error before anything is sent, where `to` is the wallet's own address; KeybayError `request_failed` when the node
 *   does not answer
 * @example await sweep({ scalar, to: 'FreshAddress…', rpc: createRpc('https://api.mainnet-beta.solana.com') })
 */
export async function sweep(input: SweepInput): Promise<Swept> {
  const { scalar, to, rpc, onMoved } = input
  const from = addressOf(scalar)
  if (to === from) throw new Error('This is the wallet’s own address: say a fresh one.')
  const moved: Moved[] = []
  const left: { mint: string; why: string }[] = []
  const note = (one: Moved) => {
    moved.push(one)
    onMoved?.(one)
  }
  for (const account of await tokensOf(rpc, from)) {
    try {
      note({ what: account.mint, amount: account.amount, signature: await sweepTokens(input, from, account) })
    } catch (error) {
      left.push({ mint: account.mint, why: error instanceof Error ? error.message : String(error) })
    }
  }
  const { value } = await rpc('getBalance', [from, CONFIRMED], balanceSchema)
  const lamports = BigInt(value) - FEE
  if (lamports > 0n)
    note({ what: 'SOL', amount: lamports, signature: await send(input, from, [transfer(from, to, lamports)]) })
  return { from, moved, left }
}
