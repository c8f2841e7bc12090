import { type ReactElement, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { join, usePartClass, useRoot } from './provider.js'

export interface ModalProps {
  readonly open: boolean
  /** Called when the user closes it: Escape, the cross, or a click beside it. */
  onClose(): void
  /** The id of the heading inside. */
  readonly labelledBy: string
  /** Rendered while the dialog is open, and while it fades out. */
  readonly children: ReactNode
}

/** Returns what the dialog shows: once it is closed, its last content until it has faded out. */
function useContent({ open, children }: Pick<ModalProps, 'open' | 'children'>, dialog: RefObject<Element | null>) {
  const [last, setLast] = useState<ReactNode>()
  if (open && last !== children) setLast(children)
  useEffect(() => {
    if (open) return undefined
    let isLeaving = true
    const clear = () => {
      if (isLeaving) setLast(undefined)
    }
    // Of a closed dialog, nothing else is animated. Without motion it is gone at once.
    const running = dialog.current && 'getAnimations' in dialog.current ? dialog.current.getAnimations() : []
    if (running.length === 0) clear()
    else void Promise.allSettled(running.map(({ finished }) => finished)).then(clear)
    return () => {
      isLeaving = false
    }
  }, [open, dialog])
  return open ? children : last
}
/**
 * Closes the dialog, which returns the focus. If what had it before is gone, the browser leaves the focus in the dialog
 * as long as that fades out, and keys would go there.
 */
function leave(dialog: HTMLDialogElement): void {
  if (dialog.open) dialog.close()
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && dialog.contains(activeElement)) activeElement.blur()
}

/**
 * The browser's modal dialog, which traps the focus, makes the page inert and returns the focus. Also for the dialogs of hosts
 * and plugins. Needs `@keybay/react/ui.css`.
 *
 * @example
 * const id = useId()
 * return <Modal open={open} onClose={close} labelledBy={id}><h2 id={id}>Sign in</h2>…</Modal>
 */
export function Modal({ open, onClose, labelledBy, children }: ModalProps): ReactElement {
  const dialog = useRef<HTMLDialogElement | null>(null)
  const { text } = useMessages(ui)
  const root = useRoot(join('keybay-dialog', usePartClass('dialog')))
  const [attach] = useState(() => (node: HTMLDialogElement | null) => {
    // Still open when it unmounts: only close() returns the focus.
    if (!node) dialog.current?.close()
    dialog.current = node
  })
  // After every render: the user may have closed it, and the next prompt opens it again.
  useEffect(() => {
    const { current } = dialog
    if (open && !current?.open) {
      current?.showModal()
      // Chromium would focus the scrollable element first.
      current?.querySelector<HTMLElement>('input, a, button')?.focus()
    }
    if (!open && current) leave(current)
  })
  // Below the effect that closes it.
  const content = useContent({ open, children }, dialog)
  return (
    <dialog
      ref={attach}
      {...root}
      aria-labelledby={labelledBy}
      onClose={({ currentTarget }) => {
        // The event comes late: the next prompt may have opened it again.
        if (open && !currentTarget.open) onClose()
      }}
      // Not on click: selecting text from a field to beyond the edge ends in a click here, too.
      onMouseDown={event => {
        if (event.target !== event.currentTarget) return
        // Keeps the press from taking the focus, which returns to where it was.
        event.preventDefault()
        event.currentTarget.close()
      }}
    >
      {content && (
        <div className="keybay-panel">
          {content}
          {/* Last, so that the dialog focuses its content first. */}
          <button
            type="button"
            className="keybay-close"
            aria-label={text('close')}
            onClick={() => dialog.current?.close()}
          >
            <span aria-hidden="true">×</span>
          </button>
        </div>
      )}
    </dialog>
  )
}
