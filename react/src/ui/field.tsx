import {
  type ComponentProps,
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
} from 'react'
import { Glyph } from './glyph.js'
import { join, usePartClass } from './provider.js'

/** Validation error of an input. Always rendered, so that a screen reader announces the text when it appears. */
export function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }): ReactElement {
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
