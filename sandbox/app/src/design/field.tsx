import type { ReactElement, ReactNode } from 'react'
import { Glyph } from './icons.js'

/** Validation error of an input. Always rendered, so that a screen reader announces the text when it appears. */
export function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }): ReactElement {
  return (
    <p className="field-error" id={id} aria-live="polite">
      {error !== undefined && (
        <>
          <Glyph name="alert" size={16} />
          {error}
        </>
      )}
    </p>
  )
}

/** A label, an input and its error. The input gets the ids that link them for a screen reader. */
export function Field({
  id,
  label,
  side,
  error,
  children,
}: {
  readonly id: string
  readonly label: string
  /** Content to the right of the label. */
  readonly side?: ReactNode
  readonly error: string | undefined
  readonly children: (aria: {
    readonly id: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string
  }) => ReactNode
}): ReactElement {
  const described = `${id}-error`
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{label}</label>
        {side}
      </div>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': described })}
      <FieldError id={described} error={error} />
    </div>
  )
}
