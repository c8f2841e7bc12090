/** What a request comes to: an answer, or a question to the person and what follows on a yes. */
import type { ApprovalRequest } from '../../requests.js'
import type { State, StateStore } from './state.js'

export type Step =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'ask'; readonly request: ApprovalRequest; approved(): Promise<Step> }

export interface Context {
  readonly origin: string
  readonly state: State
  readonly store: StateStore
  /** The local chain's JSON-RPC. */
  readonly rpcUrl: string
}
export type Method = (context: Context, params: unknown) => Promise<Step>

export const done = (result: unknown): Step => ({ kind: 'done', result })
export const ask = (request: ApprovalRequest, approved: () => unknown): Step => ({
  kind: 'ask',
  request,
  approved: async () => done(await approved()),
})
/** Of what a page sent. */
export const field = (params: unknown, name: string): unknown => Reflect.get(Object(params), name)
