import type { ReactElement } from 'react'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { Notice } from '../design/feedback.js'
import { useChainHealth } from './chain-health.js'

/** Notice above the page while the chain is unreachable. */
export function ChainTrouble(): ReactElement | null {
  const { status, reload } = useChainHealth()
  const { name, cluster } = useCurrentNetwork()
  if (status !== 'down') return null
  return (
    <div className="trouble">
      <Notice kind="bad" title={`${name} does not answer`}>
        <span>
          Balances may be old, and nothing can be sent. This page tries again by itself.{' '}
          {cluster === 'localnet'
            ? 'If you stopped the chain, start it with npm start.'
            : 'Check your connection, or choose another network above.'}
        </span>
        <button type="button" className="button button-small" onClick={reload}>
          Try now
        </button>
      </Notice>
    </div>
  )
}
