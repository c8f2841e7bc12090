import { useKeybay } from '@keybay/react'
import { lazyView } from '@keybay/react/ui'
import { type ReactElement, useEffect, useState } from 'react'
import type { WalletProgress } from '../react/index.js'
import type { SigningStatusViewProps } from './signing-status-view.js'

export interface SigningStatusProps {
  /** Status of the action: `useSignMessage().status`, `useReshare().status`. */
  readonly state: 'idle' | 'pending' | 'success' | 'error'
  /** Only work of this wallet. Default: all wallets. */
  readonly address?: string | undefined
}

/** Report of the wallet about its present work. */
interface Report {
  readonly progress?: WalletProgress
  /** The user has to act in the wallet's window. */
  readonly asks?: boolean
}

const View = lazyView<SigningStatusViewProps>(async () => (await import('./signing-status-view.js')).SigningStatusView)

/** Collects the reports about an action, from its start. */
function useReport(state: SigningStatusProps['state'], address: string | undefined): Report {
  const { on } = useKeybay()
  const [report, setReport] = useState<Report>({})
  const [lastState, setLastState] = useState(state)
  if (state !== lastState) {
    setLastState(state)
    if (state === 'pending') setReport({})
  }
  useEffect(() => {
    const isOurs = (event: { readonly address?: string | undefined }) =>
      address === undefined || event.address === address
    const ends = [
      on('waas:progress', progress => {
        if (isOurs(progress)) setReport({ progress })
      }),
      on('waas:consent', event => {
        if (isOurs(event)) setReport(last => ({ ...last, asks: true }))
      }),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [on, address])
  return report
}

/**
 * Shows what a wallet does: that it signs or waits for the user, and the steps of a long operation (create, import, backup,
 * refresh, reshare, restore). Keep it rendered, so that it sees the first step; it shows nothing while the action is idle.
 *
 * @example
 * const sign = useSignMessage()
 * return <SigningStatus state={sign.status} />
 */
export function SigningStatus({ state, address }: SigningStatusProps): ReactElement | null {
  const { progress, asks = false } = useReport(state, address)
  if (state === 'idle' || (state !== 'pending' && !progress)) return null
  return <View state={state} progress={progress} asks={asks} />
}
