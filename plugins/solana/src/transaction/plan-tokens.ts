/** Token transfers: checks the token's own rules and computes each receiver's amount before signing. */
import { insufficientFunds, KeybayError, sourceTokenAccountNotFound } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import { decimalText } from '../decimal.js'
import { memoRequired, tokenRefused } from '../errors.js'
import type { Instruction } from '../instruction.js'
import { CLOCK_SYSVAR, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs/addresses.js'
import { associatedAddress } from '../programs/associated.js'
import { reader } from '../programs/bytes.js'
import { createAssociated, transferToken, transferTokenWithFee } from '../programs/instructions.js'
import { type ChainAccount, type HeldToken, type Mint, readMint, readTokenAccount } from '../programs/token.js'
import { getTokenAccountsByOwner } from '../rpc/calls.js'
import type { CallOptions, PlannedTransfer } from '../steps.js'
import { readParsedToken } from '../tokens.js'
import type { Order } from './order.js'

/** Maps each existing address to its account. */
export type Accounts = ReadonlyMap<string, ChainAccount>

const PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/**
 * Returns all addresses that a plan needs, for one call; for both token programs, because the mint's program is not yet known.
 */
export function tokenAddresses({ token, transfers }: Order, from: string): readonly string[] {
  return token === undefined
    ? []
    : [
        token,
        CLOCK_SYSVAR,
        ...[from, ...transfers.map(({ to }) => to)].flatMap(owner => [
          owner,
          ...PROGRAMS.map(program => associatedAddress(owner, token, program)),
        ]),
      ]
}

function refused(reason: string, details: object = {}) {
  return new KeybayError(tokenRefused, { detail: reason, details: { reason, ...details } })
}
/** @throws KeybayError `token_refused` */
function checkMint(account: ChainAccount | undefined): Mint {
  const mint = account && readMint(account)
  if (!mint) throw refused('the token does not exist')
  if (mint.nonTransferable) throw refused('it is bound to its holder')
  if (mint.paused) throw refused('its authority has paused it')
  if (mint.hook) throw refused('each transfer calls a program that asks for accounts of its own', { hook: mint.hook })
  return mint
}

interface Wanted {
  readonly accounts: Accounts
  readonly order: Order
  readonly mint: string
  readonly from: string
  readonly payer: string
  readonly note: Instruction | undefined
}
interface Source {
  readonly address: string
  readonly amount: bigint
  readonly frozen: boolean
}
/**
 * Finds the associated account, else the sender's other account with the highest balance. @throws KeybayError
 * `source_token_account_not_found`
 */
async function findSource(
  { rpc }: Client,
  { accounts, mint, from }: Wanted,
  program: string,
  options: CallOptions,
): Promise<Source> {
  const address = associatedAddress(from, mint, program)
  const account = accounts.get(address)
  const held = account && readTokenAccount(account)
  if (held && held.owner === from) return { address, ...held }
  const others = (await getTokenAccountsByOwner(rpc, from, { mint }, options)).map(readParsedToken)
  const fullest = others.reduce<Source | undefined>(
    (best, next) => (best && best.amount >= next.amount ? best : next),
    undefined,
  )
  if (!fullest) throw new KeybayError(sourceTokenAccountNotFound, { details: { mint, owner: from } })
  return fullest
}

interface Destination {
  readonly account: string
  readonly creates: boolean
  readonly memoRequired: boolean
}
/** @throws KeybayError `token_refused` */
function findDestination({ accounts, mint }: Wanted, { program, startsFrozen }: Mint, to: string): Destination {
  const ready = (account: string, { frozen, memoRequired }: HeldToken) => {
    if (frozen) throw refused('the account that receives is frozen', { account })
    return { account, creates: false, memoRequired }
  }
  const named = accounts.get(to)
  const receiving = named && readTokenAccount(named)
  if (receiving) {
    if (receiving.mint !== mint) throw refused('the destination is an account of another token')
    return ready(to, receiving)
  }
  if (named && readMint(named)) throw refused('the destination is a token and not a wallet')
  const account = associatedAddress(to, mint, program)
  const existing = accounts.get(account)
  const held = existing && readTokenAccount(existing)
  if (held) {
    // The account's creator may have transferred its ownership since.
    if (held.owner !== to) throw refused('the account that receives belongs to someone else', { account })
    return ready(account, held)
  }
  if (startsFrozen) throw refused('a new account begins frozen')
  return { account, creates: true, memoRequired: false }
}

export interface TokenPlan {
  readonly instructions: readonly Instruction[]
  readonly transfers: readonly PlannedTransfer[]
  /** True if the instructions include the memo: receivers that require one look directly before their transfer. */
  readonly noted: boolean
}
/**
 * @throws KeybayError `source_token_account_not_found`, `token_refused` (`details.reason`), `memo_required`, `insufficient_funds`
 * (`details`: smallest units as decimal text)
 */
export async function planTokens(client: Client, request: Wanted, options: CallOptions): Promise<TokenPlan> {
  const { accounts, order, mint: mintAddress, from, payer, note } = request
  const mint = checkMint(accounts.get(mintAddress))
  const { program, decimals } = mint
  const clock = accounts.get(CLOCK_SYSVAR)
  const epoch = (clock && reader(clock.data).u64(16)) ?? 0n
  const source = await findSource(client, request, program, options)
  if (source.frozen) throw refused('the account that sends is frozen', { account: source.address })
  const needed = order.transfers.reduce((sum, { amount }) => sum + amount, 0n)
  if (source.amount < needed) {
    const reason = `${decimalText(source.amount, decimals)} is less than ${decimalText(needed, decimals)} of the token`
    const details = { reason, mint: mintAddress, balance: String(source.amount), needed: String(needed) }
    throw new KeybayError(insufficientFunds, { details })
  }
  const instructions: Instruction[] = []
  const made = new Set<string>()
  let noted = false
  const transfers = order.transfers.map(({ to, amount }): PlannedTransfer => {
    const destination = findDestination(request, mint, to)
    const { account } = destination
    const creates = destination.creates && !made.has(account)
    if (creates) {
      made.add(account)
      instructions.push(createAssociated({ payer, account, owner: to, mint: mintAddress, program }))
    }
    if (destination.memoRequired) {
      if (!note) throw new KeybayError(memoRequired, { details: { to } })
      instructions.push(note)
      noted = true
    }
    const transfer = {
      program,
      mint: mintAddress,
      decimals,
      source: source.address,
      destination: account,
      owner: from,
      amount,
    }
    const withheld = mint.withheld(amount, epoch)
    instructions.push(withheld === undefined ? transferToken(transfer) : transferTokenWithFee(transfer, withheld))
    return { to, amount, token: { mint: mintAddress, program, decimals, account, creates, withheld: withheld ?? 0n } }
  })
  return { instructions, transfers, noted }
}
