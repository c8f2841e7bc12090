import { useUser } from '@keybay/account/react'
import { useSession } from '@keybay/react'
import { Button, formatDay, Notice, Problem, useChange, useLostFocus } from '../design/index.js'

/** Shown on every page while the signed-in user's account is scheduled for deletion. */
export function DeletionNotice() {
  const { status } = useSession()
  return status === 'authenticated' ? <PendingDeletion /> : null
}

function PendingDeletion() {
  const { user, restore } = useUser()
  const { busy, error, run } = useChange(restore, 'Your account stays')
  const isLeaving = typeof user?.deletesAt === 'number'
  useLostFocus(isLeaving)
  if (!isLeaving) return null
  return (
    <Notice kind="warn" title={`Your account will be deleted on ${formatDay(user.deletesAt)}.`}>
      <span>Until then you can keep it, with everything in it.</span>
      <Button small text={busy ? 'Keeping your account …' : 'Keep my account'} busy={busy} onClick={() => run()} />
      <Problem title="Your account still waits to be deleted." error={error} />
    </Notice>
  )
}
