/** Moves all funds to another address: tokens first, SOL last. Also for a key that was never whole. */
import { toBase64 } from '@keybay/kernel/spec'
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes } from '@noble/curves/utils.js'
import bs58 from 'bs58'
import * as v from 'valibot'
import { signWithScalar } from '../mpc/index.js'
import {
  closeTokens,
  getMessage,
  moveTokens,
  type Step,
  TOKEN_PROGRAMS,
  type TokenAccount,
  transfer,
} from './message.js'
import type { Rpc } from './rpc.js'

export interface SweepInput {
  /** The wallet's scalar: 32 bytes, little-endian, from `recoverKey`. A secret. */
  readonly scalar: Uint8Array
  /** A fresh address. */
  readonly to: string
  readonly rpc: Rpc
  /** Waits between two polls of a transaction. Default: one second. */
  readonly pause?: (() => Promise<void>) | undefined
  /** Receives each transfer. */
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
  /** Mints that could not be moved, with the node's message. */
  readonly left: readonly { readonly mint: string; readonly why: string }[]
}

const FEE = 5_000n
const MAX_POLLS = 120
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
            info: v.object({ mint: v.string(), tokenAmount: v.object({ amount: v.string(), decimals: v.number() }) }),
          }),
        }),
      }),
    }),
  ),
})
const statusSchema = v.object({
  value: v.array(v.nullable(v.object({ err: v.unknown(), confirmationStatus: v.nullish(v.string()) }))),
})

function waitOneSecond(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 1_000))
}

function addressOf(scalar: Uint8Array): string {
  const { Point } = ed25519
  return bs58.encode(Point.BASE.multiply(Point.Fn.fromBytes(scalar)).toBytes())
}

/** Sends a transaction and polls until the cluster confirms it. @throws Error with the node's message */
async function send(
  { scalar, rpc, pause = waitOneSecond }: SweepInput,
  from: string,
  steps: readonly Step[],
): Promise<string> {
  const { value } = await rpc('getLatestBlockhash', [CONFIRMED], blockhashSchema)
  const message = getMessage(from, steps, value.blockhash)
  const transaction = concatBytes(Uint8Array.of(1), signWithScalar(scalar, message), message)
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
  const signature = await rpc('sendTransaction', [toBase64(transaction), options], v.string())
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const { value: statuses } = await rpc('getSignatureStatuses', [[signature]], statusSchema)
    const [status] = statuses
    if (status && status.err !== null) throw new Error(JSON.stringify(status.err))
    if (status && status.confirmationStatus !== 'processed') return signature
    await pause()
  }
  throw new Error(`${signature} was sent but not confirmed. Look it up before you try again.`)
}

async function getTokens(rpc: Rpc, owner: string): Promise<readonly TokenAccount[]> {
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

/** Empties and closes a token account, or only empties it (withheld fees, another authority). */
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
 * Moves all SOL, and every token of both token programs. Reports what cannot be moved.
 * @throws Error, before anything is sent, for the wallet's own address; KeybayError `request_failed`
 * @example await sweep({ scalar, to: 'FreshAddress…', rpc: createRpc('https://api.mainnet-beta.solana.com') })
 */
export async function sweep(input: SweepInput): Promise<Swept> {
  const { scalar, to, rpc, onMoved } = input
  const from = addressOf(scalar)
  if (to === from) throw new Error('This is the wallet’s own address. Use a fresh one.')
  const moved: Moved[] = []
  const left: { mint: string; why: string }[] = []
  const report = (transfer: Moved) => {
    moved.push(transfer)
    onMoved?.(transfer)
  }
  for (const account of await getTokens(rpc, from)) {
    try {
      report({ what: account.mint, amount: account.amount, signature: await sweepTokens(input, from, account) })
    } catch (error) {
      left.push({ mint: account.mint, why: error instanceof Error ? error.message : String(error) })
    }
  }
  const { value } = await rpc('getBalance', [from, CONFIRMED], balanceSchema)
  const lamports = BigInt(value) - FEE
  if (lamports > 0n)
    report({ what: 'SOL', amount: lamports, signature: await send(input, from, [transfer(from, to, lamports)]) })
  return { from, moved, left }
}
