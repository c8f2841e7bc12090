import { type ReactElement, type RefObject, useEffect, useRef } from 'react'
import { Glyph } from '../design/icons.js'

/**
 * Container for the wallet's own window: a page of another origin, which this page cannot read. The window ignores
 * clicks while anything of this page covers it, so it sits above header, menu and toasts, and never exceeds the
 * screen.
 */
export function WalletPlace({
  shown,
  place,
  cancel,
}: {
  readonly shown: boolean
  readonly place: RefObject<HTMLDivElement | null>
  /** Called on the close button or Escape; once loaded, the wallet's window has its own cancel button. */
  cancel(): void
}): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (shown) dialog.current?.showModal()
    else dialog.current?.close() // restores the focus
  }, [shown])
  return (
    <dialog
      ref={dialog}
      className="wallet-place"
      aria-label="Wallet"
      onCancel={event => {
        event.preventDefault()
        cancel()
      }}
    >
      <div className="wallet-place-head">
        <p className="soft small">The wallet’s own window</p>
        <button
          type="button"
          className="button button-quiet button-icon button-small"
          aria-label="Close the wallet’s window"
          onClick={cancel}
        >
          <Glyph name="close" size={18} />
        </button>
      </div>
      {/* Empty until the window loads; the window then covers the note. */}
      <div className="wallet-place-room">
        <p className="soft small">Opening the wallet …</p>
        <div ref={place} />
      </div>
    </dialog>
  )
}
