/** Wallet behind the extension's worker and behind tests, independent of the browser. */
import { methodUnsupported } from '../../errors.js'
import { evmRequest } from './evm.js'
import { solanaMethods } from './solana.js'
import { getActive, type StateStore } from './state.js'
import type { Method, Step } from './step.js'

export interface WalletCall {
  readonly origin: string
  readonly method: string
  readonly params: unknown
}
const METHODS: Readonly<Record<string, Method>> = { ...solanaMethods, 'evm.request': evmRequest }
/** Checks for calls that a locked wallet answers too: they need no approval and reveal no accounts. */
function isHarmless({ method, params }: WalletCall) {
  return method === 'evm.request' && /^eth_(chainId|getTransactionReceipt)$/.test(Reflect.get(Object(params), 'method'))
}

function isSilent({ params }: WalletCall) {
  return Reflect.get(Object(params), 'silent') === true || Reflect.get(Object(params), 'method') === 'eth_accounts'
}

/**
 * Prepares a call without storing anything, so that after a restart of the worker the same call leads to the same
 * approval
 * request.
 */
export async function prepare(store: StateStore, rpcUrl: string, call: WalletCall): Promise<Step> {
  const { origin, method, params } = call
  const state = await store.read()
  const run = METHODS[method]
  if (!run) throw methodUnsupported()
  if (state.locked && !isHarmless(call)) {
    if (isSilent(call)) return { kind: 'done', result: method === 'evm.request' ? [] : {} }
    const { solana: address } = getActive(state)
    return {
      kind: 'ask',
      request: { kind: 'unlock', origin, address },
      async approved() {
        await store.update(() => ({ locked: false }))
        return prepare(store, rpcUrl, call)
      },
    }
  }
  return run({ origin, state, store, rpcUrl }, params)
}

/** Returns what pages of this origin may see: nothing if the wallet is locked or does not trust them. */
export async function visibleTo(store: StateStore, origin: string): Promise<Visible> {
  const state = await store.read()
  const { chainId } = state
  if (state.locked || !state.trusted.includes(origin)) return { chainId }
  const { solana, evm } = getActive(state)
  return { solana, evm, chainId }
}
export interface Visible {
  readonly solana?: string
  readonly evm?: string
  readonly chainId: number
}
