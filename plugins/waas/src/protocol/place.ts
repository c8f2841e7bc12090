/** Where a page shows a visible frame: in an element of the app, or in a dialog that is a sheet on phones. */
import { fitFrame, fitSheet, styleSheet } from './sheet.js'

export interface Place {
  readonly container: Element
  /** Removes the note that the wallet is opening. */
  showFrame(): void
  /** Lets the next window open on top while a function of the app runs. */
  stepAside(running: Promise<void>): void
  /** @param height of the frame's content, in CSS pixels */
  fit(frame: HTMLElement, height: number): void
  close(): void
}

/** Open dialogs. Only the first is shown: a dialog on top of it would get the click that the user meant for the first. */
const dialogs = new Set<HTMLDialogElement>()

function showFirst(): void {
  const first = [...dialogs].find(({ isConnected }) => isConnected)
  if (first && !first.open) first.showModal()
}

function placeIn(container: Element): Place {
  return { container, showFrame() {}, stepAside() {}, fit: fitFrame, close() {} }
}

/** Covers the dialog until the frame is loaded: the frame has its own Cancel button. */
function createCover(onClose: () => void): HTMLElement {
  const cover = document.createElement('div')
  cover.style.cssText = 'position:absolute;inset:0;height:fit-content;margin:auto;text-align:center'
  const note = document.createElement('p')
  note.setAttribute('role', 'status')
  note.textContent = 'Opening the wallet'
  const cancel = document.createElement('button')
  cancel.type = 'button'
  cancel.style.cssText = 'min-height:44px;padding:0 16px;font:inherit'
  cancel.textContent = 'Cancel'
  cancel.addEventListener('click', onClose)
  cover.append(note, cancel)
  return cover
}

/** @param given the app's dialog, which stays in the page */
function openDialog(onClose: () => void, given: HTMLDialogElement | undefined): Place {
  const dialog = given ?? document.createElement('dialog')
  if (!dialog.hasAttribute('aria-label')) dialog.setAttribute('aria-label', 'Wallet')
  styleSheet(dialog)
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  dialog.addEventListener('cancel', cancel)
  const cover = createCover(onClose)
  dialog.append(cover)
  if (!given) document.body.append(dialog)
  dialogs.add(dialog)
  showFirst()
  let isClosed = false
  const leave = () => {
    dialogs.delete(dialog)
    showFirst()
  }
  return {
    container: dialog,
    showFrame: () => cover.remove(),
    stepAside(running) {
      if (!dialog.open) return
      leave()
      void running.finally(() => {
        if (!isClosed) dialogs.add(dialog)
        showFirst()
      })
    },
    fit: (_frame, height) => fitSheet(dialog, height),
    close() {
      isClosed = true
      dialog.close() // returns the focus
      dialog.removeEventListener('cancel', cancel)
      cover.remove()
      if (!given) dialog.remove()
      leave()
    },
  }
}

/**
 * Opens the place of a visible frame. A closed `<dialog>` of the app becomes the sheet; another element is the app's own layout.
 * @param container default: a dialog of our own
 * @param onClose called when the user closes the dialog
 */
export function openPlace(container: Element | undefined, onClose: () => void): Place {
  if (container instanceof HTMLDialogElement && !container.open) return openDialog(onClose, container)
  return container ? placeIn(container) : openDialog(onClose, undefined)
}
