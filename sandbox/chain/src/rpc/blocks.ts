import type { Block } from '../blocks.js'
import type { TransactionRecord } from '../ledger.js'
import { invalidParams, RpcError } from '../rpc-error.js'
import type { ChainState } from '../state.js'
import { transactionAccountsJson, transactionJson } from '../transaction-json.js'
import { type Methods, method, slotAt } from './context.js'
import { transactionFormat } from './history.js'

const MAX_BLOCK_RANGE = 500_000

/** Returns the block of a slot. @throws RpcError -32004 before it exists, -32001 or -32007 when it no longer does */
function blockAt(state: ChainState, slot: number): Block {
  const block = state.blocks.get(slot)
  if (block) return block
  const { first } = state.blocks
  if (slot > state.slot) throw new RpcError(-32004, `Block not available for slot ${slot}`)
  if (slot < first)
    throw new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`)
  throw new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
}

function getRecords(state: ChainState, { signatures }: Block): TransactionRecord[] {
  return signatures.flatMap(signature => state.ledger.get(signature) ?? [])
}

/** RPC methods for blocks. Includes the newest block while it is still being filled. */
export const blockMethods: Methods = {
  getBlock: method(1, ({ state }, params) => {
    const block = blockAt(state, params.integer(0))
    const format = transactionFormat(params, 1)
    const { config } = format
    const details = config.choice('transactionDetails', ['full', 'accounts', 'signatures', 'none'], 'full')
    const records = getRecords(state, block)
    const withRewards = config.value('rewards') === undefined || config.flag('rewards')
    return {
      blockHeight: block.height,
      blockTime: block.time,
      blockhash: block.blockhash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.previousBlockhash,
      ...(withRewards && { rewards: [] }),
      ...(details === 'full' && { transactions: records.map(record => transactionJson(record, format)) }),
      ...(details === 'accounts' && {
        transactions: records.map(record => transactionAccountsJson(record, format.maxVersion)),
      }),
      ...(details === 'signatures' && { signatures: block.signatures }),
    }
  }),
  getBlocks: method(1, (context, params) => {
    const start = params.integer(0)
    const end = typeof params.value(1) === 'number' ? params.integer(1) : undefined
    const commitment = params.config(end === undefined && !params.has(2) ? 1 : 2).commitment()
    const newest = slotAt(context, commitment)
    const last = Math.min(end ?? newest, newest)
    if (last < start) return []
    if (last - start > MAX_BLOCK_RANGE) throw invalidParams(`Slot range too large; max ${MAX_BLOCK_RANGE}`)
    return context.state.blocks.slots(start, last)
  }),
  getBlocksWithLimit: method(2, (context, params) => {
    const limit = params.integer(1)
    if (limit > MAX_BLOCK_RANGE) throw invalidParams(`Limit too large; max ${MAX_BLOCK_RANGE}`)
    const newest = slotAt(context, params.config(2).commitment())
    return limit === 0 ? [] : context.state.blocks.slots(params.integer(0), newest, limit)
  }),
  getBlockTime: method(1, ({ state }, params) => blockAt(state, params.integer(0)).time),
  getFirstAvailableBlock: method(0, ({ state }) => state.blocks.first),
  minimumLedgerSlot: method(0, ({ state }) => state.blocks.first),
}
