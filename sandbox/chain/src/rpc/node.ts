import { MAX_PROCESSING_AGE } from '../blockhashes.js'
import { FAUCET_ADDRESS, FAUCET_LAMPORTS } from '../faucet.js'
import { nodeBehind } from '../rpc-error.js'
import { SLOTS_PER_EPOCH } from '../vm.js'
import { AGAVE_VERSION, FEATURE_SET, inContext, type Methods, readAt, slotAt } from './context.js'
import { toList, toPubkey } from './params.js'

/** A node's limit on the number of addresses. */
const MAX_FEE_ADDRESSES = 128

/** RPC methods for the node's identity and state. */
export const nodeMethods: Methods = {
  getHealth: {
    required: 0,
    run: ({ faults }) => {
      if (faults.behind > 0) throw nodeBehind(faults.behind)
      return 'ok'
    },
  },
  getVersion: { required: 0, run: () => ({ 'feature-set': FEATURE_SET, 'solana-core': AGAVE_VERSION }) },
  getGenesisHash: { required: 0, run: ({ state }) => state.genesisHash },
  getIdentity: { required: 0, run: ({ state }) => ({ identity: state.identity }) },
  getSlot: { required: 0, run: (context, params) => slotAt(context, readAt(context, params.config(0))) },
  getBlockHeight: {
    required: 0,
    run: (context, params) => {
      const slot = slotAt(context, readAt(context, params.config(0)))
      return context.state.blocks.get(slot)?.height ?? context.state.height
    },
  },
  getEpochInfo: {
    required: 0,
    run: (context, params) => {
      const slot = slotAt(context, readAt(context, params.config(0)))
      return {
        absoluteSlot: slot,
        blockHeight: context.state.height,
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: context.state.ledger.total,
      }
    },
  },
  getEpochSchedule: {
    required: 0,
    run: () => ({
      firstNormalEpoch: 0,
      firstNormalSlot: 0,
      leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
      slotsPerEpoch: SLOTS_PER_EPOCH,
      warmup: false,
    }),
  },
  getSlotLeader: { required: 0, run: ({ state }) => state.identity },
  getTransactionCount: { required: 0, run: ({ state }) => state.ledger.total },
  getClusterNodes: {
    required: 0,
    run: ({ state }) => [
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
    ],
  },
  /** The faucet's balance does not circulate; fees are burned. */
  getSupply: {
    required: 0,
    run: context => {
      const total = Number(FAUCET_LAMPORTS) - context.state.burnedFees
      const nonCirculating = context.state.vm.balance(FAUCET_ADDRESS)
      const nonCirculatingAccounts = [FAUCET_ADDRESS]
      return inContext(context, { circulating: total - nonCirculating, nonCirculating, nonCirculatingAccounts, total })
    },
  },
  /** Block space is never scarce here, so a fee has no effect; fees that were paid are reported as on a node. */
  getRecentPrioritizationFees: {
    required: 0,
    run: ({ state }, params) => {
      const addresses = params.has(0) ? toList(params.value(0), MAX_FEE_ADDRESSES, '').map(toPubkey) : []
      return state.blocks
        .slots(state.slot - MAX_PROCESSING_AGE, state.slot)
        .map(slot => ({ prioritizationFee: state.priorityFees.of(slot, addresses), slot }))
    },
  },
}
