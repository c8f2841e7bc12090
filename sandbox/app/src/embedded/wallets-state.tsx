import type { KeybayError } from '@keybay/kernel'
import type { ReactElement } from 'react'
import { Loading, Notice, Skeleton } from '../design/feedback.js'
import { explain } from '../wording.js'

export interface WalletsStateProps {
  readonly status: 'none' | 'loading' | 'ready' | 'error'
  readonly error: KeybayError | undefined
  /** Data was loaded, possibly stale. */
  readonly isKnown: boolean
  /** The loaded data contains the wallet that the page shows. */
  readonly isShown: boolean
  readonly refresh: () => void
}

/** Loading, failed and stale states of a wallet list. */
export function WalletsState({ status, error, isKnown, isShown, refresh }: WalletsStateProps): ReactElement {
  return (
    <>
      {status === 'error' && error && (
        <Notice kind="bad" title={isShown ? 'This may be out of date.' : 'Your wallet could not be loaded.'}>
          <span>{explain(error)}</span>
          <button type="button" className="button button-small" onClick={refresh}>
            Try again
          </button>
        </Notice>
      )}
      {!isKnown && status !== 'error' && (
        <section className="card" aria-label="Wallet">
          <Loading what="your wallet" />
          {[18, 26, 22].map(width => (
            <p key={width}>
              <Skeleton width={width} />
            </p>
          ))}
        </section>
      )}
    </>
  )
}
