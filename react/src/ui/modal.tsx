import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'

export interface ModalProps {
  readonly open: boolean
  /** Called when the user closes it: Escape, the cross, or a click beside it. */
  onClose(): void
  /** The id of the heading inside. */
  readonly labelledBy: string
  /** Rendered while open only. */
  readonly children: ReactNode
}
/**
 * The browser's own modal dialog: it traps the focus, makes the page inert, and gives the focus back. For dialogs of a
 * host's or a plugin's own, in the looks of the others. Needs `@keybay/react/ui.css`.
 *
 * @example
 * const id = useId()
 * return <Modal open={open} onClose={close} labelledBy={id}><h2 id={id}>Sign in</h2>…</Modal>
 */
export function Modal({ open, onClose, labelledBy, children }: ModalProps): ReactElement {
  const dialog = useRef<HTMLDialogElement | null>(null)
  const [attach] = useState(() => (node: HTMLDialogElement | null) => {
    // On the way out of the page it is still open: only close() gives the focus back.
    if (!node) dialog.current?.close()
    dialog.current = node
  })
  // After every render: what the user closed may have to open again, for the next question.
  useEffect(() => {
    const { current } = dialog
    if (open && !current?.open) {
      current?.showModal()
      // Chromium would give the first focus to what scrolls.
      current?.querySelector<HTMLElement>('input, a, button')?.focus()
    }
    if (!open && current?.open) current.close()
  })
  return (
    <dialog
      ref={attach}
      className="keybay keybay-dialog"
      aria-labelledby={labelledBy}
      onClose={({ currentTarget }) => {
        // The event comes a moment later: by then the next question may have opened it again.
        if (open && !currentTarget.open) onClose()
      }}
      // Not the click: that comes here, too, when a text is selected with the mouse from a field to beyond the edge.
      onMouseDown={event => {
        if (event.target !== event.currentTarget) return
        // The press does not take the focus: it goes back to where it was.
        event.preventDefault()
        event.currentTarget.close()
      }}
    >
      {open && (
        <div className="keybay-panel">
          {children}
          {/* Last, so that the dialog gives its first focus to what the user came for. */}
          <button type="button" className="keybay-close" aria-label="Close" onClick={() => dialog.current?.close()}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
      )}
    </dialog>
  )
}
