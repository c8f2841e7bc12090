import { MAX_PROCESSING_AGE } from '../blockhashes.js'
import { FAUCET_ADDRESS, FAUCET_LAMPORTS } from '../faucet.js'
import { nodeBehind } from '../rpc-error.js'
import { SLOTS_PER_EPOCH } from '../vm.js'
import { AGAVE_VERSION, FEATURE_SET, inContext, type Methods, method, readAt, slotAt } from './context.js'
import { toList, toPubkey } from './params.js'

/** A node's limit on the number of addresses. */
const MAX_FEE_ADDRESSES = 128

/** RPC methods for the node's identity and state. */
export const nodeMethods: Methods = {
  getHealth: method(0, ({ faults }) => {
    if (faults.behind > 0) throw nodeBehind(faults.behind)
    return 'ok'
  }),
  getVersion: method(0, () => ({ 'feature-set': FEATURE_SET, 'solana-core': AGAVE_VERSION })),
  getGenesisHash: method(0, ({ state }) => state.genesisHash),
  getIdentity: method(0, ({ state }) => ({ identity: state.identity })),
  getSlot: method(0, (context, params) => slotAt(context, readAt(context, params.config(0)))),
  getBlockHeight: method(0, (context, params) => {
    const slot = slotAt(context, readAt(context, params.config(0)))
    return context.state.blocks.get(slot)?.height ?? context.state.height
  }),
  getEpochInfo: method(0, (context, params) => {
    const slot = slotAt(context, readAt(context, params.config(0)))
    return {
      absoluteSlot: slot,
      blockHeight: context.state.height,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: context.state.ledger.total,
    }
  }),
  getEpochSchedule: method(0, () => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    slotsPerEpoch: SLOTS_PER_EPOCH,
    warmup: false,
  })),
  getSlotLeader: method(0, ({ state }) => state.identity),
  getTransactionCount: method(0, ({ state }) => state.ledger.total),
  getClusterNodes: method(0, ({ state }) => [
    {
      featureSet: FEATURE_SET,
      gossip: null,
      pubkey: state.identity,
      pubsub: null,
      rpc: null,
      shredVersion: 0,
      tpu: null,
      version: AGAVE_VERSION,
    },
  ]),
  /** The faucet's balance does not circulate; fees are burned. */
  getSupply: method(0, context => {
    const total = Number(FAUCET_LAMPORTS) - context.state.burnedFees
    const nonCirculating = context.state.vm.balance(FAUCET_ADDRESS)
    const nonCirculatingAccounts = [FAUCET_ADDRESS]
    return inContext(context, { circulating: total - nonCirculating, nonCirculating, nonCirculatingAccounts, total })
  }),
  /** Block space is never scarce here, so a fee has no effect; fees that were paid are reported as on a node. */
  getRecentPrioritizationFees: method(0, ({ state }, params) => {
    const addresses = params.has(0) ? toList(params.value(0), MAX_FEE_ADDRESSES, '').map(toPubkey) : []
    return state.blocks
      .slots(state.slot - MAX_PROCESSING_AGE, state.slot)
      .map(slot => ({ prioritizationFee: state.priorityFees.of(slot, addresses), slot }))
  }),
}
