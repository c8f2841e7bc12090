/** Components that several pages of the explorer share. */
import { formatSol } from '@keybay/solana'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { Notice } from '../design/feedback.js'
import { formatAgo, formatDate, groupDecimal, shorten } from '../design/format.js'
import { Link } from '../routing/link.js'

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** @param lamports as JSON gives them */
export function Sol({ lamports }: { readonly lamports: number | bigint }): ReactElement {
  const amount = BigInt(lamports)
  const size = amount < 0n ? -amount : amount
  return (
    <span className="number">
      {amount < 0n && '−'}
      {groupDecimal(formatSol(size))} SOL
    </span>
  )
}

/** Interval at which relative times such as “3 seconds ago” update, in ms. */
const TICK_MS = 10_000
export function Ago({ time }: { readonly time: number | undefined }): ReactElement {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  if (time === undefined) return <span className="soft">unknown</span>
  return (
    <time dateTime={new Date(time).toISOString()} title={formatDate(time)}>
      {formatAgo(time, Math.max(now, time))}
    </time>
  )
}

/** Links an identifier to its page. A shortened identifier stays available in full to screen readers and on hover. */
export function Name({
  kind,
  value,
  short = false,
  copy = false,
}: {
  readonly kind: 'address' | 'tx' | 'block'
  readonly value: string
  readonly short?: boolean
  readonly copy?: boolean
}): ReactElement {
  return (
    <span className="chain-name">
      <Link to={`/${kind}/${value}`} className="mono break" title={short ? value : undefined}>
        {short ? shorten(value, 6) : value}
      </Link>
      {copy && <CopyButton text={value} label={kind === 'tx' ? 'Copy signature' : 'Copy address'} />}
    </span>
  )
}

export function LoadFailed({
  what,
  error,
  reload,
}: {
  readonly what: string
  readonly error: Error
  readonly reload: () => void
}): ReactElement {
  return (
    <Notice kind="bad" title={`Could not load ${what}.`}>
      <span>{error.message} Trying again on its own every few seconds.</span>
      <button type="button" className="button button-small" onClick={reload}>
        Try now
      </button>
    </Notice>
  )
}
