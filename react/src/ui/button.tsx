import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLostFocus } from './hooks.js'
import { Glyph, type IconName } from './icons.js'
import { toast } from './toasts.js'

/** Appearance of a button, and of a link that looks like one. */
export interface ButtonLook {
  readonly kind?: 'primary' | 'quiet' | 'danger' | undefined
  readonly small?: boolean
  readonly wide?: boolean
  readonly className?: string
}

export function buttonClass({ kind, small, wide, className }: ButtonLook): string {
  return ['button', kind && `button-${kind}`, small && 'button-small', wide && 'button-wide', className]
    .filter(Boolean)
    .join(' ')
}

type ButtonProps = ButtonLook &
  Omit<ComponentProps<'button'>, 'children'> & {
    readonly text: ReactNode
    /** Shown before the text. */
    readonly icon?: IconName
    /** The button stays focusable, so that a screen reader can say that it is disabled. */
    readonly busy?: boolean
  }

export function Button({ text, icon, busy, kind, small, wide, className, ...rest }: ButtonProps) {
  return (
    <button type="button" aria-disabled={busy} {...rest} className={buttonClass({ kind, small, wide, className })}>
      {icon && <Glyph name={icon} size={18} />}
      {text}
    </button>
  )
}

type IconButtonProps = Omit<ButtonProps, 'text'> & { readonly icon: IconName; readonly label: string }

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  const classes = className ? `button-icon ${className}` : 'button-icon'
  return <Button kind="quiet" small {...rest} className={classes} icon={icon} text={undefined} aria-label={label} />
}

/** Time that the tick shows, in ms. */
const TICK_MS = 2000

/** Copies a text. `label` without children renders an icon only. */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: string }) {
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
  const icon = copied ? 'check' : 'copy'
  if (children === undefined) return <IconButton icon={icon} label={label} onClick={() => void copy()} />
  return <Button icon={icon} text={children} aria-label={label} onClick={() => void copy()} />
}

interface ConfirmButtonProps {
  /** e.g. `Unlink` */
  readonly text: string
  /** Label for screen readers that includes the target: `Unlink mara@example.com` */
  readonly label: string
  /** States the consequence before the user confirms. */
  readonly question: string
  readonly busy: boolean
  /** Another action is running and has to finish first. */
  readonly waits?: boolean
  /** ID of the text that says why the action is unavailable; the button stays focusable, so that the text is read. */
  readonly refusedBy?: string | undefined
  confirm(): void
}

/** Button for an irreversible action: shows a confirmation in its place. Escape cancels. */
export function ConfirmButton({ text, label, question, busy, waits, refusedBy, confirm }: ConfirmButtonProps) {
  const refused = busy || waits || refusedBy !== undefined
  const [asks, ask] = useState(false)
  const no = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asks) no.current?.focus()
  }, [asks])
  const button = useLostFocus<HTMLButtonElement>(asks)
  const proceed = () => {
    ask(false)
    confirm()
  }
  if (asks)
    return (
      <fieldset className="confirm" onKeyDown={({ key }) => key === 'Escape' && ask(false)}>
        <legend className="small">{question}</legend>
        <Button small kind="danger" text={text} aria-label={label} onClick={proceed} />
        <Button small ref={no} text="Keep" onClick={() => ask(false)} />
      </fieldset>
    )
  return (
    <Button
      small
      ref={button}
      text={busy ? <span className="spinner" aria-hidden="true" /> : text}
      aria-label={label}
      busy={refused ?? false}
      aria-describedby={refusedBy}
      onClick={() => !refused && ask(true)}
    />
  )
}
