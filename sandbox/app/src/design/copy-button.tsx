import { type ReactElement, useEffect, useState } from 'react'
import { toast } from '../shell/toasts.js'
import { Glyph } from './icons.js'

/** Time that the tick shows, in ms. */
const TICK_MS = 2000

/** Copies a text. `label` without children renders an icon only. */
export function CopyButton({
  text,
  label,
  children,
}: {
  readonly text: string
  /** e.g. `Copy address` */
  readonly label: string
  readonly children?: string
}): ReactElement {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), TICK_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      toast('Copied')
    } catch {
      toast('The browser did not allow copying. Select the text and copy it by keyboard.', 'bad')
    }
  }
  return (
    <button
      type="button"
      className={children ? 'button' : 'button button-quiet button-icon button-small'}
      aria-label={label}
      onClick={() => void copy()}
    >
      <Glyph name={copied ? 'check' : 'copy'} size={18} />
      {children}
    </button>
  )
}
