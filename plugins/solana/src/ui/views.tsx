import { type LazyView, lazyView } from '@keybay/react/ui'
import type { ComponentType, ReactElement } from 'react'
import type { TransactionHistoryProps } from './activity/history.js'
import type { NetworkViewProps } from './network-view.js'
import type { ReceiveViewProps } from './receive-view.js'
import type { SendViewProps } from './send/send-view.js'
import { type PanelSlots, Slots } from './slots.js'
import type { TokensViewProps } from './tokens-view.js'

/** Content of the host inside of the view. */
export interface WithSlots {
  readonly slots?: PanelSlots | undefined
}
const NONE: PanelSlots = {}

/** Makes a view that loads when it is first shown, and takes slots. */
function defineView<P extends object>(load: () => Promise<ComponentType<P>>): LazyView<P & WithSlots> {
  return lazyView<P & WithSlots>(async () => {
    const View = await load()
    // biome-ignore lint/correctness/noComponentHookFactories: called once for each view
    return function Slotted(props: P & WithSlots): ReactElement {
      return (
        <Slots.Provider value={props.slots ?? NONE}>
          <View {...props} />
        </Slots.Provider>
      )
    }
  })
}

/**
 * Shows the address to receive at, and copies it.
 *
 * @example <ReceiveView address={address} />
 */
export const ReceiveView: LazyView<ReceiveViewProps & WithSlots> = defineView(
  async () => (await import('./receive-view.js')).ReceiveView,
)

/**
 * Sends SOL and tokens: checks the fields early, has Max, and shows what changes and the fee before the wallet opens. After a
 * confirmed transfer the form is empty, and the same transfer within 30 seconds asks first.
 *
 * @example <SendView address={address} />
 */
export const SendView: LazyView<SendViewProps & WithSlots> = defineView(
  async () => (await import('./send/send-view.js')).SendView,
)

/**
 * Shows what this browser sent, and the history of the chain, with the amounts and directions of SOL and tokens.
 *
 * @example <ActivityView address={address} />
 */
export const ActivityView: LazyView<TransactionHistoryProps & WithSlots> = defineView(
  async () => (await import('./activity/activity-view.js')).ActivityView,
)

/**
 * Shows the newest transactions of an address on the chain.
 *
 * @example <TransactionHistory address={address} limit={5} />
 */
export const TransactionHistory: LazyView<TransactionHistoryProps & WithSlots> = defineView(
  async () => (await import('./activity/history.js')).HistoryView,
)

/**
 * Shows the tokens of a wallet, with the names that the host knows.
 *
 * @example <TokensView address={address} slots={{ token: mint => (mint === USDC ? { symbol: 'USDC' } : undefined) }} />
 */
export const TokensView: LazyView<TokensViewProps & WithSlots> = defineView(
  async () => (await import('./tokens-view.js')).TokensView,
)

/**
 * Shows and changes the node of the network in use.
 *
 * @example <NetworkView canChoose />
 */
export const NetworkView: LazyView<NetworkViewProps & WithSlots> = defineView(
  async () => (await import('./network-view.js')).NetworkView,
)
