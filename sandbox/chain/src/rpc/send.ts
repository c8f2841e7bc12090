import bs58 from 'bs58'
import { accountJson } from '../account-json.js'
import { errorText, type TransactionError } from '../errors.js'
import { FAUCET_ADDRESS, faucetTransfer, LAMPORTS_PER_SOL } from '../faucet.js'
import { getFee } from '../fees.js'
import { getAccountKeys, loadAddresses } from '../ledger.js'
import { runAsFaucet } from '../mint.js'
import { internalError, invalidParams, nodeBehind, RpcError, signatureVerificationFailure } from '../rpc-error.js'
import { type TokenBalance, tokenBalances } from '../tokens.js'
import { parsedInner } from '../transaction-json.js'
import { execute, simulate } from '../transactions.js'
import type { Simulation, Vm } from '../vm.js'
import { isSane, type Message, PACKET_DATA_SIZE, readTransaction, type WireTransaction } from '../wire.js'
import { handOutBlockhash } from './blockhash.js'
import { inContext, type Methods, method, type RpcContext, readAt } from './context.js'
import { type Config, type Params, toList, toPubkey } from './params.js'

const TYPE_NAME = 'solana_transaction::versioned::VersionedTransaction'
/** Text lengths of PACKET_DATA_SIZE bytes. */
const MAX_BASE58_SIZE = 1683
const MAX_BASE64_SIZE = 1644
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** RPC methods that send and simulate transactions. */
export const sendMethods: Methods = {
  sendTransaction: method(1, sendTransaction),
  simulateTransaction: method(1, simulateTransaction),
  requestAirdrop: method(2, requestAirdrop),
}

/** Decodes the transaction of a call. @throws RpcError -32602 with a node's message */
function decodeTransaction(params: Params, config: Config): WireTransaction {
  const text = params.text(0)
  const encoding = config.text('encoding') ?? 'base58'
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(`unsupported encoding: ${encoding.slice(0, 40)}. Supported encodings: base58, base64`)
  }
  const max = encoding === 'base58' ? MAX_BASE58_SIZE : MAX_BASE64_SIZE
  if (text.length > max) {
    const limits = `(max: encoded/raw ${max}/${PACKET_DATA_SIZE})`
    throw invalidParams(`${encoding} encoded ${TYPE_NAME} too large: ${text.length} bytes ${limits}`)
  }
  const bytes = encoding === 'base58' ? bs58.decodeUnsafe(text) : decodeBase64(text)
  if (!bytes) throw invalidParams(`invalid ${encoding} encoding: invalid character`)
  if (bytes.length > PACKET_DATA_SIZE) {
    throw invalidParams(`decoded ${TYPE_NAME} too large: ${bytes.length} bytes (max: ${PACKET_DATA_SIZE} bytes)`)
  }
  let transaction: WireTransaction
  try {
    transaction = readTransaction(bytes)
  } catch (error) {
    throw invalidParams(`failed to deserialize ${TYPE_NAME}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isSane(transaction)) throw invalidParams(`invalid transaction: ${errorText('SanitizeFailure')}`)
  return transaction
}

function decodeBase64(text: string): Uint8Array | undefined {
  return text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined
}

function sendTransaction(context: RpcContext, params: Params): string {
  const { state, faults } = context
  const config = params.config(1)
  const transaction = decodeTransaction(params, config)
  const signature = transaction.signatures[0] ?? ''
  const preflight = !config.flag('skipPreflight')
  config.commitment('preflightCommitment')
  readAt(context, config)
  if (preflight) {
    const simulation = simulate(state, transaction, { checkSignatures: true, replaceBlockhash: false })
    if (simulation.error === 'SignatureFailure') throw signatureVerificationFailure()
    if (faults.behind > 0) throw nodeBehind(faults.behind)
    if (simulation.error) {
      const result = { accounts: null, ...simulationJson(simulation), innerInstructions: null }
      throw new RpcError(-32002, `Transaction simulation failed: ${errorText(simulation.error)}`, result)
    }
  }
  // Fault: the node accepts the transaction, but no leader receives it.
  if (faults.take('lose')) return signature
  execute(state, transaction, preflight)
  return signature
}

function simulateTransaction(context: RpcContext, params: Params): unknown {
  const { state, faults } = context
  const config = params.config(1)
  const decoded = decodeTransaction(params, config)
  readAt(context, config)
  const checkSignatures = config.flag('sigVerify')
  const replaceBlockhash = config.flag('replaceRecentBlockhash')
  if (checkSignatures && replaceBlockhash) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
  const loaded = loadAddresses(state.vm, decoded.message)
  const keys = getAccountKeys(decoded, loaded)
  const requestedAccounts = wantedAccounts(config, keys.length)
  const { latest } = state.blockhashes
  const transaction = replaceBlockhash ? withBlockhash(decoded, latest.blockhash) : decoded
  const simulation = simulate(state, transaction, { checkSignatures, replaceBlockhash })
  if (simulation.error === 'SignatureFailure') throw signatureVerificationFailure()
  return inContext(context, {
    accounts:
      requestedAccounts &&
      (simulation.error
        ? requestedAccounts.addresses.map(() => null)
        : accountsAfter(context, simulation, requestedAccounts)),
    ...simulationJson(simulation),
    innerInstructions: config.flag('innerInstructions') ? parsedInner(simulation.inner, keys) : null,
    ...(!faults.has('old-node') && {
      ...(replaceBlockhash && { replacementBlockhash: handOutBlockhash(context) }),
      ...costJson(state.vm, transaction.message, simulation, keys),
      loadedAddresses: loaded,
    }),
  })
}

function simulationJson({ error, logs, returnData, units }: Simulation) {
  return { err: error, logs, returnData, unitsConsumed: units }
}

interface WantedAccounts {
  readonly addresses: readonly string[]
  readonly encoding: 'base64' | 'base64+zstd' | 'jsonParsed'
}

function wantedAccounts(config: Config, max: number): WantedAccounts | null {
  const accounts = config.nested('accounts')
  if (!accounts) return null
  const list = accounts.value('addresses')
  if (Array.isArray(list) && list.length > max) throw invalidParams(`Too many accounts provided; max ${max}`)
  const encoding = accounts.choice('encoding', ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'], 'base64')
  if (encoding === 'binary' || encoding === 'base58') throw invalidParams('base58 encoding not supported')
  return { addresses: toList(list, max, 'addresses').map(toPubkey), encoding }
}

function accountsAfter(
  { state }: RpcContext,
  simulation: Simulation,
  { addresses, encoding }: WantedAccounts,
): unknown[] {
  const after = simulation.accounts()
  return addresses.map(address => {
    const account = after.get(address) ?? state.vm.account(address)
    return account && account.lamports > 0n ? accountJson(state.vm, account, { encoding }) : null
  })
}

/** Returns the transaction with another blockhash; its signatures are then invalid and are not verified. */
function withBlockhash(transaction: WireTransaction, blockhash: string): WireTransaction {
  const raw = Buffer.from(transaction.raw)
  raw.set(bs58.decodeUnsafe(blockhash) ?? [], transaction.messageOffset + transaction.message.blockhashOffset)
  return { ...transaction, raw, message: { ...transaction.message, recentBlockhash: blockhash } }
}

function requestAirdrop({ state, maxAirdrop }: RpcContext, params: Params): string {
  const recipient = params.pubkey(0)
  const lamports = params.integer(1)
  if (lamports === 0) throw invalidParams('Invalid param: an airdrop is at least 1 lamport')
  if (lamports > maxAirdrop) {
    const [sol, most] = [lamports / LAMPORTS_PER_SOL, maxAirdrop / LAMPORTS_PER_SOL]
    throw internalError(`Airdrop refused: ${sol} SOL asked, the faucet gives at most ${most} SOL at a time`)
  }
  const left = state.vm.balance(FAUCET_ADDRESS)
  if (lamports + LAMPORTS_PER_SOL > left) {
    throw internalError(`Airdrop refused: the faucet has run dry (${left / LAMPORTS_PER_SOL} SOL left)`)
  }
  return runAsFaucet(state, 'Airdrop', blockhash => faucetTransfer(recipient, lamports, blockhash))
}

/** Returns true if the transaction would land and pay its fee, even if it fails; otherwise it costs nothing. */
function wouldLand(error: TransactionError | null): boolean {
  return (
    error === null ||
    (typeof error === 'object' && ('InstructionError' in error || 'InsufficientFundsForRent' in error))
  )
}

export interface CostJson {
  readonly fee: number | null
  readonly preBalances: readonly number[] | null
  readonly postBalances: readonly number[] | null
  readonly preTokenBalances: readonly TokenBalance[] | null
  readonly postTokenBalances: readonly TokenBalance[] | null
}

/** Returns a simulated transaction's cost and balance changes, as nodes do from Agave 3.0. `keys`: all its keys. */
function costJson(vm: Vm, message: Message, simulation: Simulation, keys: readonly string[]): CostJson {
  if (!wouldLand(simulation.error))
    return { fee: null, preBalances: null, postBalances: null, preTokenBalances: null, postTokenBalances: null }
  const after = simulation.accounts()
  const account = (address: string) => after.get(address) ?? vm.account(address)
  const fee = Number(getFee(message))
  const preBalances = keys.map(key => vm.balance(key))
  // A failure reverts everything except the fee.
  const postBalances = simulation.error
    ? preBalances.map((balance, index) => (index ? balance : balance - fee))
    : keys.map(key => Number(account(key)?.lamports ?? 0n))
  return {
    fee,
    preBalances,
    postBalances,
    preTokenBalances: tokenBalances(vm, keys),
    postTokenBalances: tokenBalances({ account }, keys),
  }
}
