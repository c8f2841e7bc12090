import { type ReactElement, useEffect, useRef, useState } from 'react'
import { useLostFocus } from './use-lost-focus.js'

interface ConfirmButtonProps {
  /** e.g. `Unlink` */
  readonly children: string
  /** With what it acts on, for a screen reader: `Unlink mara@example.com` */
  readonly label: string
  /** What it leads to, said before it happens. */
  readonly question: string
  /** It is being done. */
  readonly busy: boolean
  /** Something else is being done, which comes first. */
  readonly waits?: boolean
  /** The id of the text that says why it cannot be done; the button stays in reach, so that it is read with it. */
  readonly refusedBy?: string | undefined
  confirm(): void
}

/** A button for what cannot be undone: asks once more, in its place. Escape keeps things as they are. */
export function ConfirmButton(props: ConfirmButtonProps): ReactElement {
  const { children, label, question, busy, waits = false, refusedBy, confirm } = props
  const refused = busy || waits || refusedBy !== undefined
  const [asks, ask] = useState(false)
  const no = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asks) no.current?.focus()
  }, [asks])
  const button = useLostFocus<HTMLButtonElement>(asks)
  if (asks)
    return (
      <fieldset
        className="confirm"
        onKeyDown={event => {
          if (event.key === 'Escape') ask(false)
        }}
      >
        <legend className="small">{question}</legend>
        <button
          type="button"
          className="button button-small button-danger"
          aria-label={label}
          onClick={() => {
            ask(false)
            confirm()
          }}
        >
          {children}
        </button>
        <button ref={no} type="button" className="button button-small" onClick={() => ask(false)}>
          Keep
        </button>
      </fieldset>
    )
  return (
    <button
      ref={button}
      type="button"
      className="button button-small"
      aria-label={label}
      aria-disabled={refused}
      aria-describedby={refusedBy}
      onClick={() => {
        if (!refused) ask(true)
      }}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : children}
    </button>
  )
}
