/** Outcome of a request: a result, or an approval request with its next step. */
import type { ApprovalRequest } from '../../requests.js'
import type { State, StateStore } from './state.js'

export type Step =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'ask'; readonly request: ApprovalRequest; approved(): Promise<Step> }

export interface Context {
  readonly origin: string
  readonly state: State
  readonly store: StateStore
  /** JSON-RPC address of the local chain. */
  readonly rpcUrl: string
}
export type Method = (context: Context, params: unknown) => Promise<Step>

export function done(result: unknown): Step {
  return { kind: 'done', result }
}

export function ask(request: ApprovalRequest, approved: () => unknown): Step {
  return { kind: 'ask', request, approved: async () => done(await approved()) }
}
/** Reads a field of a page's parameters. */
export function field(params: unknown, name: string): unknown {
  return Reflect.get(Object(params), name)
}
