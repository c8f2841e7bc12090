import type { KeybayError } from '@keybay/kernel'
import type { ReactElement, ReactNode } from 'react'
import { Button } from './button.js'
import { Explained } from './explained.js'
import { Glyph, type GlyphName } from './glyph.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { join, usePartClass } from './provider.js'

/**
 * A grey bar in the place of text that is loading.
 *
 * @param width in characters
 * @example <Skeleton width={24} />
 */
export function Skeleton({ width }: { readonly width: number }): ReactElement {
  return <span className="keybay-skeleton" style={{ width: `${width}ch` }} aria-hidden="true" />
}

export interface LoadingProps {
  readonly what: string
  /** Skeletons for sighted users, in characters. */
  readonly widths?: readonly number[]
}
/**
 * Status text for screen readers, with skeletons.
 *
 * @example <Loading what="your sessions" widths={[24, 16]} />
 */
export function Loading({ what, widths = [] }: LoadingProps): ReactElement {
  const { text } = useMessages(ui)
  return (
    <>
      <span className="keybay-hidden" role="status">
        {text('loadingWhat', { what })}
      </span>
      {widths.map(width => (
        <p key={width}>
          <Skeleton width={width} />
        </p>
      ))}
    </>
  )
}

const marks = { info: 'info', good: 'check', warn: 'alert', bad: 'alert' } as const
export interface NoticeProps {
  readonly kind?: 'info' | 'good' | 'warn' | 'bad'
  readonly title: string
  readonly children?: ReactNode
}

/**
 * A short message in its place on the page. `bad` interrupts a screen reader.
 *
 * @example <Notice kind="warn" title="No backup">Losing this browser loses the wallet.</Notice>
 */
export function Notice({ kind = 'info', title, children }: NoticeProps): ReactElement {
  const classes = join(`keybay-notice keybay-notice-${kind}`, usePartClass('notice'))
  return (
    <div className={classes} role={kind === 'bad' ? 'alert' : 'status'}>
      <Glyph name={marks[kind]} />
      <p className="keybay-notice-title">{title}</p>
      {children !== undefined && <div className="keybay-notice-more">{children}</div>}
    </div>
  )
}

export interface ProblemProps {
  readonly title: string
  readonly error: KeybayError | undefined
  readonly children?: ReactNode
}

/**
 * Shows why an action failed, below the control that started it. A rejection by the user is not a failure.
 *
 * @example <Problem title="Nothing was sent." error={action.error} />
 */
export function Problem({ title, error, children }: ProblemProps): ReactElement | null {
  return error ? (
    <Notice kind={error.code === 'user_rejected' ? 'warn' : 'bad'} title={title}>
      <Explained error={error} />
      {children}
    </Notice>
  ) : null
}

export interface FailureProps {
  readonly title: string
  readonly error?: Error | undefined
  retry(): void
}
/**
 * Shows that content could not be loaded, with a button that tries again.
 *
 * @example <Failure title="Your sessions could not be loaded." error={error} retry={reload} />
 */
export function Failure({ title, error, retry }: FailureProps): ReactElement {
  const { text } = useMessages(ui)
  return (
    <Notice kind="bad" title={title}>
      {error && (
        <span>
          <Explained error={error} />
        </span>
      )}
      <Button small text={text('tryAgain')} onClick={() => retry()} />
    </Notice>
  )
}

export interface EmptyProps {
  readonly icon: GlyphName
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

/**
 * In the place of content that does not exist yet.
 *
 * @example <Empty icon="wallet" title="No wallet yet">Create one to begin.</Empty>
 */
export function Empty({ icon, title, children, action }: EmptyProps): ReactElement {
  return (
    <div className="keybay-empty-state">
      <span className="keybay-empty-mark">
        <Glyph name={icon} size={24} />
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}
