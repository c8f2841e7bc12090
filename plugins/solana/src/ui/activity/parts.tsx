import { shorten } from '@keybay/kernel/spec'
import { activityMessages, useMessages, useUi } from '@keybay/react/ui'
import { type ReactElement, useEffect, useState } from 'react'
import { useSlots } from '../slots.js'

/** A signature, shortened, with the host's link. */
export function Signature({ signature }: { readonly signature: string }): ReactElement {
  const { transaction } = useSlots()
  const text = (
    <bdi className="keybay-mono" title={signature}>
      {shorten(signature)}
    </bdi>
  )
  return <>{transaction ? transaction({ signature, text }) : text}</>
}

/** Interval at which the times update, in ms. */
const TICK_MS = 10_000
const UNITS = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const

/** Time since an event, in words. @param time ms since 1970 */
export function Ago({ time }: { readonly time: number | undefined }): ReactElement {
  const { text } = useMessages(activityMessages)
  const { locale } = useUi()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  if (time === undefined) return <span>{text('unknownTime')}</span>
  const seconds = Math.max(0, Math.round((now - time) / 1000))
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ['now', 1]
  const count = Math.round(seconds / length)
  const isYesterday = unit === 'days' && count === 1
  const date = new Date(time)
  const title = date.toLocaleString(locale === 'pseudo' || locale === 'en' ? 'en-GB' : locale)
  return (
    <time dateTime={date.toISOString()} title={title}>
      {unit === 'now' ? text('now') : isYesterday ? text('yesterday') : text(unit, { count })}
    </time>
  )
}
