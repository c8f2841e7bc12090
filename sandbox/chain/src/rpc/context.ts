import type { Faults } from '../faults.js'
import { RpcError } from '../rpc-error.js'
import type { ChainState } from '../state.js'
import type { Commitment, Config, Params } from './params.js'

/** Agave release whose responses this chain imitates. */
export const AGAVE_VERSION = '2.3.0'
export const FEATURE_SET = 3_640_012_085

export interface RpcContext {
  readonly state: ChainState
  readonly faults: Faults
  /** Largest airdrop, in lamports. */
  readonly maxAirdrop: number
}

/** RPC method: the number of required parameters, and its implementation. */
export interface Method {
  readonly required: number
  readonly run: (context: RpcContext, params: Params) => unknown
}

export function method(required: number, run: Method['run']): Method {
  return { required, run }
}

export type Methods = Readonly<Record<string, Method>>

export interface Contextual<T> {
  readonly context: { readonly apiVersion: string; readonly slot: number }
  readonly value: T
}

/** Wraps `value` with the slot in which it was read. */
export function inContext<T>({ state }: RpcContext, value: T): Contextual<T> {
  return { context: { apiVersion: AGAVE_VERSION, slot: state.slot }, value }
}

/** Returns the slot at a commitment: every transaction is confirmed when it lands; only finality can lag, by option. */
export function slotAt({ state }: RpcContext, commitment: Commitment): number {
  return commitment === 'finalized' ? state.root : state.slot
}

/** Returns the commitment of a call that reads state. @throws RpcError -32016 when the client has seen a later slot */
export function readAt(context: RpcContext, config: Config): Commitment {
  const commitment = config.commitment()
  const minimum = config.integer('minContextSlot')
  const { slot } = context.state
  if (minimum !== undefined && minimum > slot)
    throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: slot })
  return commitment
}
