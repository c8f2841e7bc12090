import { useActiveAccount } from '@keybay/react'
import { Empty, useMessages, useRoot, useUi, walletMessages } from '@keybay/react/ui'
import { type KeyboardEvent, type ReactElement, useId, useRef, useState } from 'react'
import type { PanelSlots } from './slots.js'
import { ActivityView, NetworkView, ReceiveView, SendView } from './views.js'

/** A view of the panel. */
export type PanelTab = 'receive' | 'send' | 'activity' | 'network'

export interface WalletPanelProps {
  /** Default: the active Solana account. */
  readonly address?: string
  /** Default: all, in this order. */
  readonly tabs?: readonly PanelTab[]
  readonly slots?: PanelSlots
}

const ALL: readonly PanelTab[] = ['receive', 'send', 'activity', 'network']
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

interface TabsProps {
  readonly id: string
  readonly tabs: readonly PanelTab[]
  readonly chosen: PanelTab | undefined
  choose(tab: PanelTab): void
}
/** The row of tabs; arrow keys move in the direction of the language. */
function Tabs({ id, tabs, chosen, choose }: TabsProps) {
  const { text } = useMessages(walletMessages)
  const { dir } = useUi()
  const list = useRef<HTMLDivElement>(null)
  const move = ({ key }: KeyboardEvent) => {
    const step = (STEPS[key] ?? 0) * (dir === 'rtl' ? -1 : 1)
    if (step === 0 || chosen === undefined) return
    const next = tabs.at((tabs.indexOf(chosen) + step) % tabs.length)
    if (next === undefined) return
    choose(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    <div ref={list} role="tablist" className="keybay-tabs" aria-label={text('wallet')} onKeyDown={move}>
      {tabs.map(tab => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`${id}-${tab}`}
          data-tab={tab}
          className="keybay-tab"
          aria-selected={tab === chosen}
          aria-controls={`${id}-${tab}-view`}
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => choose(tab)}
        >
          {text(tab)}
        </button>
      ))}
    </div>
  )
}

interface TabViewProps {
  readonly tab: PanelTab
  readonly address: string
  readonly slots: PanelSlots | undefined
}
function TabView({ tab, address, slots }: TabViewProps) {
  switch (tab) {
    case 'receive':
      return <ReceiveView address={address} slots={slots} />
    case 'send':
      return <SendView address={address} slots={slots} />
    case 'activity':
      return <ActivityView address={address} slots={slots} />
    case 'network':
      return <NetworkView canChoose slots={slots} />
  }
}

/**
 * A wallet in one panel: receive, send, activity and network. Each view loads when its tab is first chosen, and keeps its
 * state. Needs `@keybay/react/ui.css`.
 *
 * @example <WalletPanel slots={{ token: mint => (mint === USDC ? { symbol: 'USDC' } : undefined) }} />
 */
export function WalletPanel({ address, tabs = ALL, slots }: WalletPanelProps): ReactElement {
  const { account } = useActiveAccount('solana')
  const { text } = useMessages(walletMessages)
  const root = useRoot('keybay-stack')
  const id = useId()
  const owner = address ?? account?.address
  const [chosen, choose] = useState(tabs[0])
  const [shown, setShown] = useState<readonly PanelTab[]>([])
  if (chosen !== undefined && !shown.includes(chosen)) setShown([...shown, chosen])
  if (owner === undefined)
    return (
      <div {...root}>
        <Empty icon="wallet" title={text('noAccount')}>
          {text('noAccountText')}
        </Empty>
      </div>
    )
  return (
    <div {...root}>
      <Tabs id={id} tabs={tabs} chosen={chosen} choose={choose} />
      {tabs.map(tab => (
        <div
          key={`${tab} ${owner}`}
          role="tabpanel"
          id={`${id}-${tab}-view`}
          aria-labelledby={`${id}-${tab}`}
          hidden={tab !== chosen}
        >
          {shown.includes(tab) && <TabView tab={tab} address={owner} slots={slots} />}
        </div>
      ))}
    </div>
  )
}
