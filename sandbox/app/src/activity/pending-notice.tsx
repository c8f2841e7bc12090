import { useActiveAccount } from '@keybay/react'
import { useTransactions } from '@keybay/solana/react'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { Link } from '../routing/link.js'

/** Above the page: what was signed before it was opened, and the chain has not answered for. Goes on confirming it. */
export function PendingNotice(): ReactElement | null {
  const { account } = useActiveAccount()
  // Who is not connected has sent nothing, and need not load what sends.
  return account ? <Pending /> : null
}

function Pending(): ReactElement | null {
  const { pending } = useTransactions()
  const { length } = pending.filter(({ signedAt }) => signedAt < performance.timeOrigin)
  if (!length) return null
  return (
    <div className="trouble">
      <Notice
        title={length === 1 ? 'A transfer from before is under way.' : `${length} transfers from before are under way.`}
      >
        <span>
          This page goes on confirming. <Link to="/activity">Show the activity</Link>
        </span>
      </Notice>
    </div>
  )
}
