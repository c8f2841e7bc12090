import { useActiveAccount } from '@keybay/react'
import { useTransactions } from '@keybay/solana/react'
import { Notice } from '../design/index.js'
import { Link } from '../routing/link.js'

/** Notice above the page for transactions sent before it was opened and still pending. Keeps confirming them. */
export function PendingNotice() {
  const { account } = useActiveAccount()
  // No account means no transactions, so the transaction code need not load.
  return account ? <Pending /> : null
}

function Pending() {
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
