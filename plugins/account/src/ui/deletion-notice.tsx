import {
  Button,
  Notice,
  Problem,
  profileMessages,
  useChange,
  useDates,
  useLostFocus,
  useMessages,
  useRoot,
} from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useUser } from '../react/user.js'

export function DeletionNoticeView(): ReactElement | null {
  const { text } = useMessages(profileMessages)
  const { day } = useDates()
  const root = useRoot()
  const { user, restore } = useUser()
  const { busy, error, run } = useChange(restore, text('kept'))
  const isLeaving = typeof user?.deletesAt === 'number'
  useLostFocus(isLeaving)
  if (!isLeaving) return null
  return (
    <div {...root}>
      <Notice kind="warn" title={text('deleted', { date: day(user.deletesAt) })}>
        <span>{text('deletedText')}</span>
        <Button small text={text(busy ? 'keeping' : 'keep')} busy={busy} onClick={() => run()} />
        <Problem title={text('keepFailed')} error={error} />
      </Notice>
    </div>
  )
}
