import { useConnect } from '@keybay/react'
import type { ReactElement } from 'react'
import { Problem } from '../account/problem.js'

/** Lets the user connect a wallet of their account to this page. */
export function UseHere({
  connector,
  says,
  action,
  failed,
}: {
  readonly connector: 'turnkey' | 'waas'
  readonly says: string
  readonly action: string
  readonly failed: string
}): ReactElement {
  const connect = useConnect(connector)
  return (
    <div className="stack-tight">
      <div className="row row-apart">
        <p className="soft small">{says}</p>
        <button
          type="button"
          className="button button-primary button-small"
          aria-disabled={connect.status === 'pending'}
          onClick={() => connect.run(connector)}
        >
          {action}
        </button>
      </div>
      <Problem title={failed} error={connect.error} />
    </div>
  )
}
