import { type ReactElement, useEffect, useRef } from 'react'
import { Glyph } from './glyph.js'

export interface DialogHeadProps {
  /** The dialog uses it as its accessible name. */
  readonly id: string
  readonly title: string
  /** Label of the back button, e.g. `Use another address`. */
  readonly back?: string
  onBack?(): void
}

/**
 * Heading of one view in a dialog. Takes focus when the view replaces another one, because the focused element is
 * gone. A field of the view may then take focus.
 *
 * @example <DialogHead id={titleId} title="Sign in" onBack={back} />
 */
export function DialogHead({ id, title, back, onBack }: DialogHeadProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <div className="keybay-dialog-head">
      {back !== undefined && (
        <button
          type="button"
          className="keybay-button keybay-button-quiet keybay-button-icon keybay-button-small"
          aria-label={back}
          title={back}
          onClick={onBack}
        >
          <Glyph name="back" />
        </button>
      )}
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
    </div>
  )
}
