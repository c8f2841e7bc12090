/** Loading, empty and error states of a screen. */
import type { KeybayError } from '@keybay/kernel'
import type { ReactElement, ReactNode } from 'react'
import { Glyph, type IconName } from './icons.js'

/** A grey bar in the place of text that is on its way. @param width in characters */
export function Skeleton({ width }: { readonly width: number }): ReactElement {
  return <span className="skeleton" style={{ width: `${width}ch` }} aria-hidden="true" />
}

/** Skeletons of a region, with a status text for screen readers. */
export function Loading({ what }: { readonly what: string }): ReactElement {
  return (
    <span className="visually-hidden" role="status">
      Loading {what} …
    </span>
  )
}

const marks = { info: 'info', good: 'check', warn: 'alert', bad: 'alert' } as const

export function Notice({
  kind = 'info',
  title,
  children,
}: {
  readonly kind?: keyof typeof marks
  readonly title: string
  readonly children?: ReactNode
}): ReactElement {
  return (
    <div className={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Glyph name={marks[kind]} />
      <p className="notice-title">{title}</p>
      {children !== undefined && <div className="notice-more">{children}</div>}
    </div>
  )
}

/** Returns the notice kind for an error: a rejection by the user is not a failure. */
export function noticeKind({ code }: Pick<KeybayError, 'code'>): 'warn' | 'bad' {
  return code === 'user_rejected' ? 'warn' : 'bad'
}

export function Empty({
  icon,
  title,
  children,
  action,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}): ReactElement {
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
