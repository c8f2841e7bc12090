import { type ReactElement, type RefObject, useEffect, useRef } from 'react'
import { Glyph } from '../design/icons.js'

/**
 * Where the wallet's own window is shown: a page of another origin, which this page cannot read. Its buttons count only while
 * nothing of this page lies over any part of it, so it is above header, menu and toasts, and never larger than the screen.
 */
export function WalletPlace({
  shown,
  place,
  cancel,
}: {
  readonly shown: boolean
  readonly place: RefObject<HTMLDivElement | null>
  /** By the cross or Escape; the wallet's window has a button of its own for it, once it is there. */
  cancel(): void
}): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (shown) dialog.current?.showModal()
    else dialog.current?.close() // gives the focus back
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
      {/* Empty until the window comes: then it covers the note. */}
      <div className="wallet-place-room">
        <p className="soft small">Opening the wallet …</p>
        <div ref={place} />
      </div>
    </dialog>
  )
}
