import { shorten } from '@keybay/kernel/spec'
import { formatSol } from '@keybay/solana'
import { useEffect, useState } from 'react'
import { CopyButton, formatAgo, formatDate, groupDecimal } from '../design/index.js'
import { Link } from '../routing/link.js'
import { tokenText } from '../tokens/demo-tokens.js'
import type { TokenChange } from './transaction.js'

/** @param lamports as JSON gives them */
export function Sol({ lamports }: { readonly lamports: number | bigint }) {
  const amount = BigInt(lamports)
  const size = amount < 0n ? -amount : amount
  return (
    <span className="number">
      {amount < 0n && '−'}
      {groupDecimal(formatSol(size))} SOL
    </span>
  )
}

/** Amount by which a token account changed, with its sign. */
export function TokenAmount({ change }: { readonly change: TokenChange }) {
  const { mint, before, after } = change
  const gains = after > before
  return (
    <span className={gains ? 'number change-up' : 'number'} title={mint}>
      {gains ? '+' : '−'}
      {tokenText(gains ? after - before : before - after, change)}
    </span>
  )
}

/** Interval at which relative times such as “3 seconds ago” update, in ms. */
const TICK_MS = 10_000
export function Ago({ time }: { readonly time: number | undefined }) {
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

interface NameProps {
  readonly kind: 'address' | 'tx' | 'block'
  readonly value: string
  readonly short?: boolean
}

/** Links an identifier to its page. A shortened identifier stays available in full to screen readers and on hover. */
export function Name({ kind, value, short = false }: NameProps) {
  return (
    <span className="chain-name">
      <Link to={`/${kind}/${value}`} className="mono break" title={short ? value : undefined}>
        {short ? shorten(value) : value}
      </Link>
    </span>
  )
}

/** An identifier in full, with a button to copy it. */
export function Identifier({ text, label }: { text: string; label: string }) {
  return (
    <span className="chain-name">
      <span className="mono">{text}</span>
      <CopyButton text={text} label={label} />
    </span>
  )
}
