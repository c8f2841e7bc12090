/** Forms of one text. */
import {
  type ComponentProps,
  type FormEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'
import { Button, type ButtonLook } from './button.js'
import { FieldError, TextField, useFocus } from './field.js'
import type { GlyphName } from './glyph.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'

export interface LineFormProps extends ButtonLook {
  readonly label: string
  readonly input?: Omit<ComponentProps<'input'>, 'onChange' | 'id' | 'ref'>
  readonly mono?: boolean
  readonly initial?: string
  /** Takes the focus when it appears. */
  readonly focused?: boolean
  readonly action: string
  readonly icon?: GlyphName
  readonly busy?: boolean
  readonly error?: string | undefined
  /** Between the field and the button. */
  readonly children?: ReactNode
  readonly beside?: ReactNode
  /** Called in the submit handler with the trimmed text. Returns why the text is refused, if it is. */
  submit(text: string): string | undefined
  /** Called on each change, to clear the error of the last attempt. */
  changed?(): void
}

/**
 * Form with one text field. A refused text gets the focus, and the reason shows until the text changes.
 *
 * @example <LineForm label="Email" action="Continue" submit={email => (email.includes('@') ? send(email) : 'Enter an address.')} />
 */
export function LineForm(props: LineFormProps): ReactElement {
  const { label, input, mono = false, initial = '', focused, action, icon, busy = false, error } = props
  const { kind, small, wide, className = 'keybay-stack', children, beside, submit, changed } = props
  const [text, setText] = useState(initial)
  const [refusal, setRefusal] = useState<string>()
  const field = useFocus<HTMLInputElement>((focused ?? false) || error !== undefined)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const reason = submit(text.trim())
    setRefusal(reason)
    if (reason !== undefined) field.current?.focus()
  }
  const change = (next: string) => {
    setText(next)
    setRefusal(undefined)
    changed?.()
  }
  const look = { ...(kind && { kind }), ...(small && { small }), ...(wide && { wide }) }
  const button = <Button type="submit" {...look} {...(icon && { icon })} text={action} busy={busy} />
  return (
    <form className={className} onSubmit={onSubmit} noValidate>
      <TextField
        label={label}
        error={refusal ?? error}
        readOnly={busy}
        {...input}
        mono={mono}
        ref={field}
        value={text}
        change={change}
      />
      {children}
      {wide ? (
        button
      ) : (
        <div className="keybay-line">
          {button}
          {beside}
        </div>
      )}
    </form>
  )
}

export interface EditTextProps {
  readonly label: string
  readonly value: string
  readonly busy: boolean
  readonly longest: number
  /** Returns the validation error, if any. */
  check?(value: string): string | undefined
  save(value: string): void
  cancel(): void
}

/**
 * Edits a short text in place: Enter saves, Escape cancels.
 *
 * @example <EditText label="Name" value={name} busy={false} longest={32} save={rename} cancel={close} />
 */
export function EditText({ label, value, busy, longest, check, save, cancel }: EditTextProps): ReactElement {
  const { text: t } = useMessages(ui)
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const input = useFocus<HTMLInputElement>()
  const id = useId()
  useEffect(() => input.current?.select(), [input])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const next = text.trim()
    if (!next || next === value) return cancel()
    const wrong = check?.(next)
    setProblem(wrong)
    if (wrong === undefined) save(next)
    else input.current?.focus()
  }
  return (
    <form className="keybay-edit-text" onSubmit={submit} noValidate>
      <input
        ref={input}
        className="keybay-input"
        autoComplete="off"
        spellCheck={false}
        maxLength={longest}
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-error`}
        readOnly={busy}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setProblem(undefined)
        }}
        onKeyDown={({ key }) => key === 'Escape' && cancel()}
      />
      <Button type="submit" small kind="primary" text={t(busy ? 'saving' : 'save')} busy={busy} />
      <Button small text={t('cancel')} onClick={cancel} />
      <FieldError id={`${id}-error`} error={problem} />
    </form>
  )
}
