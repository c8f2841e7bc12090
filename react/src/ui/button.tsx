import {
  type ComponentProps,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Glyph, type GlyphName } from './glyph.js'
import { useLostFocus } from './hooks.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { join, usePartClass } from './provider.js'
import { toast } from './toasts.js'

/** Appearance of a button, and of a link that looks like one. */
export interface ButtonLook {
  readonly kind?: 'primary' | 'quiet' | 'danger' | undefined
  readonly small?: boolean
  readonly wide?: boolean
  readonly className?: string
}

export function buttonClass({ kind, small, wide, className }: ButtonLook): string {
  return join(
    'keybay-button',
    kind && `keybay-button-${kind}`,
    small && 'keybay-button-small',
    wide && 'keybay-button-wide',
    className,
  )
}

export type ButtonProps = ButtonLook &
  Omit<ComponentProps<'button'>, 'children'> & {
    readonly text: ReactNode
    /** Shown before the text. */
    readonly icon?: GlyphName
    /** Ignores clicks. The button stays focusable, so that a screen reader can say that it is disabled. */
    readonly busy?: boolean
  }

type OwnProps = Omit<ButtonProps, 'ref'>

function ForwardingButton(props: OwnProps, ref: ForwardedRef<HTMLButtonElement>): ReactElement {
  const { text, icon, busy, kind, small = false, wide = false, className, onClick, ...rest } = props
  const classes = join(className, usePartClass('button'))
  return (
    <button
      type="button"
      aria-disabled={busy}
      {...rest}
      ref={ref}
      onClick={event => {
        // Else it would submit its form.
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
      className={buttonClass({ kind, small, wide, className: classes })}
    >
      {icon && <Glyph name={icon} size={18} />}
      {/* The button puts a gap between its parts, which the parts of a sentence do not have. */}
      {Array.isArray(text) ? <span>{text}</span> : text}
    </button>
  )
}

/** @example <Button kind="primary" text="Continue" busy={action.status === 'pending'} onClick={() => action.run()} /> */
export const Button: ForwardRefExoticComponent<OwnProps & RefAttributes<HTMLButtonElement>> =
  // React 18 passes no `ref` in the props.
  forwardRef(ForwardingButton)

export type IconButtonProps = Omit<ButtonProps, 'text' | 'ref'> & { readonly icon: GlyphName; readonly label: string }

/**
 * A button that shows an icon only. `label` names it for screen readers.
 *
 * @example <IconButton icon="close" label="Close" onClick={close} />
 */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps): ReactElement {
  const classes = join('keybay-button-icon', className)
  return <Button kind="quiet" small {...rest} className={classes} icon={icon} text={undefined} aria-label={label} />
}

/** Time that the tick shows, in ms. */
const TICK_MS = 2000

export interface CopyButtonProps {
  readonly text: string
  readonly label: string
  readonly children?: string
}
/**
 * Copies a text. `label` without children renders an icon only.
 *
 * @example <CopyButton text={account.address} label="Copy the address" />
 */
export function CopyButton({ text, label, children }: CopyButtonProps): ReactElement {
  const { text: t } = useMessages(ui)
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
      toast(t('copied'))
    } catch {
      toast(t('copyBlocked'), 'bad')
    }
  }
  const icon = copied ? 'check' : 'copy'
  if (children === undefined) return <IconButton icon={icon} label={label} onClick={() => void copy()} />
  return <Button icon={icon} text={children} aria-label={label} onClick={() => void copy()} />
}

export interface ConfirmButtonProps {
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

/**
 * Button for an irreversible action: shows a confirmation in its place. Escape cancels.
 *
 * @example <ConfirmButton text="Remove" label="Remove the passkey" question="It can't sign in any more." busy={false} confirm={remove} />
 */
export function ConfirmButton(props: ConfirmButtonProps): ReactElement {
  const { text, label, question, busy, waits, refusedBy, confirm } = props
  const { text: t } = useMessages(ui)
  const refused = busy || waits || refusedBy !== undefined
  const [asks, ask] = useState(false)
  const no = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asks) no.current?.focus()
  }, [asks])
  const button = useLostFocus<HTMLButtonElement>(asks)
  const proceed = ({ detail }: MouseEvent) => {
    // The second click of a double click on the button before it is no answer to the question.
    if (detail > 1) return
    ask(false)
    confirm()
  }
  if (asks)
    return (
      <fieldset className="keybay-confirm" onKeyDown={({ key }) => key === 'Escape' && ask(false)}>
        <legend>{question}</legend>
        <Button small kind="danger" text={text} aria-label={label} onClick={proceed} />
        <Button small ref={no} text={t('keep')} onClick={() => ask(false)} />
      </fieldset>
    )
  return (
    <Button
      small
      ref={button}
      text={busy ? <span className="keybay-spinner" aria-hidden="true" /> : text}
      aria-label={label}
      busy={refused ?? false}
      aria-describedby={refusedBy}
      onClick={() => !refused && ask(true)}
    />
  )
}
