import { Button, Failure, type FailureProps, Notice } from '../design/index.js'
import { useChainHealth } from './chain-health.js'
import { ChainError } from './rpc.js'

const LATER = <p className="soft">Shown when the chain answers again.</p>

/** In the kit's views. While the whole chain does not answer, the notice above the page says so. */
export function KitFailure(props: FailureProps) {
  return useChainHealth().status === 'down' ? LATER : <Failure {...props} />
}

/**
 * Shown while nothing could be loaded. A request that the node refuses is not sent again. While the whole chain does not
 * answer, the notice above the page says so, with a button to try.
 */
export function LoadFailed({ what, error, reload }: { what: string; error: Error | undefined; reload: () => void }) {
  const isDown = useChainHealth().status === 'down'
  if (isDown) return LATER
  const isRefused = error instanceof ChainError && error.isRefused
  const message = error && (/[.!?]$/.test(error.message) ? error.message : `${error.message}.`)
  return (
    <Notice kind="bad" title={`Could not load ${what}.`}>
      <span>
        {message} {isRefused ? 'Check the address of this page.' : 'This page tries again every few seconds.'}
      </span>
      <Button small text="Try now" onClick={reload} />
    </Notice>
  )
}
