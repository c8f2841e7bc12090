import type { ReactElement, ReactNode } from 'react'
import { Glyph } from './icons.js'

/** What is wrong with an input. Always in the page, so that a screen reader hears the text come. */
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

/** A label, an input and what is wrong with it. The input gets the ids by which a screen reader finds the rest. */
export function Field({
  id,
  label,
  side,
  error,
  children,
}: {
  readonly id: string
  readonly label: string
  /** To the right of the label. */
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
