import { useUser } from '@keybay/account/react'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { formatDay } from '../design/format.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { Problem } from './problem.js'
import { useChange } from './use-change.js'

/** Shown on every page while the signed-in user's account is scheduled for deletion. */
export function DeletionNotice(): ReactElement | null {
  const { user, restore } = useUser()
  const keep = useChange(restore, 'Your account stays')
  const isLeaving = typeof user?.deletesAt === 'number'
  useLostFocus(isLeaving)
  if (!isLeaving) return null
  return (
    <Notice kind="warn" title={`Your account will be deleted on ${formatDay(user.deletesAt)}.`}>
      <span>Until then you can keep it, with everything in it.</span>
      <button
        type="button"
        className="button button-small"
        aria-disabled={keep.busy}
        onClick={() => {
          keep.run()
        }}
      >
        {keep.busy ? 'Keeping your account …' : 'Keep my account'}
      </button>
      <Problem title="Your account still waits to be deleted." error={keep.error} />
    </Notice>
  )
}
