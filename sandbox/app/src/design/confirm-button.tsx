import { type ReactElement, useEffect, useRef, useState } from 'react'
import { useLostFocus } from './use-lost-focus.js'

interface ConfirmButtonProps {
  /** e.g. `Unlink` */
  readonly children: string
  /** Label for screen readers that includes the target: `Unlink mara@example.com` */
  readonly label: string
  /** States the consequence before the user confirms. */
  readonly question: string
  /** The action is running. */
  readonly busy: boolean
  /** Another action is running and has to finish first. */
  readonly waits?: boolean
  /** ID of the text that says why the action is unavailable; the button stays focusable, so that the text is read. */
  readonly refusedBy?: string | undefined
  confirm(): void
}

/** Button for an irreversible action: shows a confirmation in its place. Escape cancels. */
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
