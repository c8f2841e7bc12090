import { at, number, text, texts } from '../chain/json.js'
import { ChainError, callChain } from '../chain/rpc.js'

export interface Block {
  readonly hash: string
  readonly height: number | undefined
  readonly parentSlot: number | undefined
  /** ms since epoch */
  readonly time: number | undefined
  readonly signatures: readonly string[]
}
export interface ChainState {
  readonly slot: number
  readonly height: number
  readonly transactions: number | undefined
  readonly version: string
}

/** Returns undefined when the slot has no block, or no longer has one. @throws ChainError */
export async function loadBlock(url: string, slot: number, signal: AbortSignal): Promise<Block | undefined> {
  const options = {
    transactionDetails: 'signatures',
    rewards: false,
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  }
  let block: unknown
  try {
    block = await callChain(url, 'getBlock', [slot, options], signal)
  } catch (error) {
    // -32004, -32007, -32009: not available, skipped, or too old.
    if (error instanceof ChainError && /\(-3200[479]\)$/.test(error.message)) return undefined
    throw error
  }
  if (block === null || block === undefined) return undefined
  const seconds = number(at(block, 'blockTime'))
  return {
    hash: text(at(block, 'blockhash')) ?? '',
    height: number(at(block, 'blockHeight')),
    parentSlot: number(at(block, 'parentSlot')),
    time: seconds === undefined ? undefined : seconds * 1000,
    signatures: texts(at(block, 'signatures')),
  }
}

/** @throws ChainError */
export async function loadChainState(url: string, signal: AbortSignal): Promise<ChainState> {
  const [epoch, version] = await Promise.all([
    callChain(url, 'getEpochInfo', [{ commitment: 'confirmed' }], signal),
    callChain(url, 'getVersion', [], signal),
  ])
  return {
    slot: number(at(epoch, 'absoluteSlot')) ?? 0,
    height: number(at(epoch, 'blockHeight')) ?? 0,
    transactions: number(at(epoch, 'transactionCount')),
    version: text(at(version, 'solana-core')) ?? 'unknown',
  }
}
