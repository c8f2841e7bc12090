import type { KeybayError } from '@keybay/kernel'
import type { ReactNode } from 'react'
import { explain } from '../wording.js'
import { Button } from './button.js'
import { Glyph, type IconName } from './icons.js'

/** A grey bar in the place of text that is loading. @param width in characters */
export function Skeleton({ width }: { width: number }) {
  return <span className="skeleton" style={{ width: `${width}ch` }} aria-hidden="true" />
}

/** Status text for screen readers. @param widths skeletons for everyone else, in characters */
export function Loading({ what, widths = [] }: { what: string; widths?: readonly number[] }) {
  return (
    <>
      <span className="visually-hidden" role="status">{`Loading ${what} …`}</span>
      {widths.map(width => (
        <p key={width}>
          <Skeleton width={width} />
        </p>
      ))}
    </>
  )
}

const marks = { info: 'info', good: 'check', warn: 'alert', bad: 'alert' } as const
interface NoticeProps {
  readonly kind?: keyof typeof marks
  readonly title: string
  readonly children?: ReactNode
}

export function Notice({ kind = 'info', title, children }: NoticeProps) {
  return (
    <div className={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Glyph name={marks[kind]} />
      <p className="notice-title">{title}</p>
      {children !== undefined && <div className="notice-more">{children}</div>}
    </div>
  )
}

interface ProblemProps {
  readonly title: string
  readonly error: KeybayError | undefined
  readonly children?: ReactNode
}

/** Shows why an action failed, below the control that started it. A rejection by the user is not a failure. */
export function Problem({ title, error, children }: ProblemProps) {
  return error ? (
    <Notice kind={error.code === 'user_rejected' ? 'warn' : 'bad'} title={title}>
      {explain(error)}
      {children}
    </Notice>
  ) : null
}

export function Failure({ title, error, retry }: { title: string; error?: Error | undefined; retry(): void }) {
  return (
    <Notice kind="bad" title={title}>
      {error && <span>{explain(error)}</span>}
      <Button small text="Try again" onClick={() => retry()} />
    </Notice>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <span className="empty-mark">
        <Glyph name={icon} size={24} />
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}
