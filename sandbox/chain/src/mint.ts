import { fromBase58 } from './base58.js'
import { errorText } from './errors.js'
import { FAUCET_ADDRESS, type FaucetInstruction, signByFaucet } from './faucet.js'
import { associatedTokenAddress, seededAddress } from './pda.js'
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from './programs.js'
import { internalError } from './rpc-error.js'
import type { ChainState } from './state.js'
import { decimalsOf } from './tokens.js'
import { execute } from './transactions.js'
import { readTransaction } from './wire.js'

const MINT_SIZE = 82n

export interface MintOrder {
  /** Names the demo mint: the same symbol is the same mint, also on a fresh chain. At most 32 bytes. */
  readonly symbol: string
  readonly decimals: number
  readonly tokenProgram: string
  readonly owner: string
  /** In the smallest unit. */
  readonly amount: bigint
}

export interface Minted {
  readonly mint: string
  readonly account: string
  readonly decimals: number
  readonly signature: string
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** Keys of the transaction, by position. */
const [FAUCET, MINT, ACCOUNT, OWNER, SYSTEM, TOKEN, ASSOCIATED] = [0, 1, 2, 3, 4, 5, 6] as const

/** Mints demo tokens to an owner's associated account, and makes the mint and the account when they are not there. */
export function mintTo(state: ChainState, order: MintOrder): Minted {
  const { symbol, tokenProgram, owner, amount } = order
  const mint = seededAddress(FAUCET_ADDRESS, symbol, tokenProgram)
  const account = associatedTokenAddress(owner, mint, tokenProgram)
  const exists = state.vm.account(mint) !== null
  const instructions: FaucetInstruction[] = [
    ...(exists ? [] : createMint(state, order)),
    {
      program: ASSOCIATED,
      accounts: [FAUCET, ACCOUNT, OWNER, MINT, SYSTEM, TOKEN],
      data: Buffer.from([1]),
    },
    { program: TOKEN, accounts: [MINT, ACCOUNT, FAUCET], data: Buffer.concat([Buffer.from([7]), u64(amount)]) },
  ]
  const keys = [mint, account, owner, SYSTEM_PROGRAM, tokenProgram, ASSOCIATED_TOKEN_PROGRAM]
  for (const blockhash of state.blockhashes.newestFirst()) {
    const transaction = readTransaction(signByFaucet([1, 0, 4], keys, blockhash, instructions))
    const signature = transaction.signatures[0] ?? ''
    // The same order twice in one slot would be the same transaction.
    if (state.ledger.get(signature)) continue
    const record = execute(state, transaction, true)
    const error = 'refused' in record ? record.refused : record.error
    if (error) throw internalError(`Mint refused: ${errorText(error)}`)
    return { mint, account, decimals: decimalsOf(state.vm, mint), signature }
  }
  throw internalError('Mint refused: too many equal orders, try again in a moment')
}

function createMint(state: ChainState, { symbol, decimals, tokenProgram }: MintOrder): FaucetInstruction[] {
  const create = Buffer.concat([
    u32(3),
    fromBase58(FAUCET_ADDRESS),
    u64(BigInt(Buffer.byteLength(symbol))),
    Buffer.from(symbol),
    u64(state.vm.rentExemption(MINT_SIZE)),
    u64(MINT_SIZE),
    fromBase58(tokenProgram),
  ])
  const initialize = Buffer.concat([Buffer.from([20, decimals]), fromBase58(FAUCET_ADDRESS), Buffer.from([0])])
  return [
    { program: SYSTEM, accounts: [FAUCET, MINT], data: create },
    { program: TOKEN, accounts: [MINT], data: initialize },
  ]
}
