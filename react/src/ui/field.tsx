import {
  type ComponentProps,
  type FormEvent,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Button, type ButtonLook } from './button.js'
import { Glyph, type GlyphName } from './glyph.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { join, usePartClass } from './provider.js'

/** Validation error of an input. Always rendered, so that a screen reader announces the text when it appears. */
function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }): ReactElement {
  return (
    <p className="keybay-field-error" id={id} aria-live="polite">
      {error !== undefined && <Glyph name="alert" size={16} />}
      {error}
    </p>
  )
}

/** Attributes that link an input with its label and its error for a screen reader. */
interface Aria {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
}
export interface FieldProps {
  readonly id?: string
  readonly label: string
  /** Content to the right of the label. */
  readonly side?: ReactNode
  readonly error?: string | undefined
}

function Field({ id, label, side, error, children }: FieldProps & { children(aria: Aria): ReactNode }) {
  const fallback = useId()
  const inputId = id ?? fallback
  const errorId = `${inputId}-error`
  return (
    <div className={join('keybay-field', usePartClass('field'))}>
      <div className="keybay-field-label">
        <label htmlFor={inputId}>{label}</label>
        {side}
      </div>
      {children({ id: inputId, 'aria-invalid': error !== undefined, 'aria-describedby': errorId })}
      <FieldError id={errorId} error={error} />
    </div>
  )
}

export type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'onChange' | 'id'> & {
    change(text: string): void
    /** For addresses and keys. */
    readonly mono?: boolean
    /** Shown in the field, after a number. */
    readonly unit?: string
  }

function ForwardingTextField(props: Omit<TextFieldProps, 'ref'>, ref: ForwardedRef<HTMLInputElement>): ReactElement {
  const { id, label, side, error, change, mono, unit, className, ...rest } = props
  const classes = join('keybay-input', mono && 'keybay-input-mono', unit !== undefined && 'keybay-number', className)
  return (
    <Field {...(id !== undefined && { id })} label={label} side={side} error={error}>
      {aria => {
        const input = (
          <input
            autoComplete="off"
            spellCheck={false}
            {...(unit && { inputMode: 'decimal' })}
            {...rest}
            {...aria}
            ref={ref}
            className={classes}
            onChange={event => change(event.target.value)}
          />
        )
        return unit === undefined ? (
          input
        ) : (
          <div className="keybay-input-unit">
            {input}
            <div>{unit}</div>
          </div>
        )
      }}
    </Field>
  )
}

export const TextField: ForwardRefExoticComponent<Omit<TextFieldProps, 'ref'> & RefAttributes<HTMLInputElement>> =
  // React 18 passes no `ref` in the props.
  forwardRef(ForwardingTextField)

export type TextAreaFieldProps = FieldProps &
  Omit<ComponentProps<'textarea'>, 'onChange' | 'id'> & { change(text: string): void }

/**
 * A labelled text of several lines.
 *
 * @example <TextAreaField label="Message" value={text} change={setText} />
 */
export function TextAreaField({
  id,
  label,
  side,
  error,
  change,
  className = 'keybay-input',
  ...rest
}: TextAreaFieldProps): ReactElement {
  return (
    <Field {...(id !== undefined && { id })} label={label} side={side} error={error}>
      {aria => <textarea {...rest} {...aria} className={className} onChange={event => change(event.target.value)} />}
    </Field>
  )
}

export interface SelectFieldProps<T extends string | number> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly name: string }[]
  readonly disabled?: boolean
  readonly busy?: boolean
  readonly change: (value: NoInfer<T>) => void
}

/**
 * A labelled choice from a list.
 *
 * @example <SelectField label="Network" value={id} options={[{ value: 'mainnet', name: 'Solana' }]} change={setId} />
 */
export function SelectField<const T extends string | number>(props: SelectFieldProps<T>): ReactElement {
  const { label, value, options, disabled, busy, change } = props
  const id = useId()
  const choose = (text: string) => {
    const option = options.find(option => String(option.value) === text)
    if (option) change(option.value)
  }
  return (
    <div className={join('keybay-field', usePartClass('field'))}>
      <label className="keybay-field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="keybay-input"
        value={value}
        disabled={disabled}
        aria-busy={busy}
        onChange={event => choose(event.target.value)}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </div>
  )
}

/**
 * Focuses the element when it appears, or when it is wanted later.
 *
 * @returns a ref for the element
 * @example return <input ref={useFocus<HTMLInputElement>()} />
 */
export function useFocus<T extends HTMLElement>(isWanted: boolean = true): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => {
    if (isWanted) element.current?.focus()
  }, [isWanted])
  return element
}

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
