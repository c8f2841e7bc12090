/** Shows a key after a click that only a user can make, for a minute, and only while the window has focus. */
import { type Clock, KeybayError, userRejected } from '@keybay/kernel/spec'
import { copyButton } from './copy-button.js'
import { type Child, element, paragraph } from './dom.js'
import { guardedButton } from './guard.js'
import { walletLine, warningLines } from './questions.js'
import type { Screen } from './screen.js'

/** Time that the key is available after the first click, in ms. */
const SHOWN_FOR_MS = 60_000

const NAMES = {
  key: {
    title: 'Your private key',
    show: 'Show the key',
    label: 'Private key',
    warning: 'Anyone with this key can take your money. Support will never ask for it.',
  },
  words: {
    title: 'Your recovery words',
    show: 'Show the words',
    label: 'Recovery words',
    warning:
      'Anyone with these words controls every account of this wallet, now and later. Support will never ask for them.',
  },
} as const

export interface ShownKey {
  readonly what?: keyof typeof NAMES
  readonly address: string
  /** Returns the text. Called for each click, so that the text exists only while it is shown. */
  readonly text: () => string
  readonly erase: () => void
  readonly use: string
  readonly clock: Clock
  /** Window of the frame. The key is hidden when it loses focus. */
  readonly self: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly signal: AbortSignal
}

/** Shows the key. Resolves when the user is done or the minute is over; the key is erased then. */
export function showKey(screen: Screen, { what = 'key', address, text, erase, use, clock, self, signal }: ShownKey) {
  const { title, show: press, label, warning } = NAMES[what]
  const shown = element('pre', { class: 'code key', tabindex: '0', hidden: true, 'aria-label': label })
  const note = element('p', { class: 'note', role: 'status' })
  const show = guardedButton(press, clock, address)
  const { button: copy } = copyButton('Copy', text, note)
  copy.hidden = true
  const reveal = (isShown: boolean) => {
    shown.textContent = isShown ? text() : ''
    shown.hidden = !isShown
    copy.hidden = !isShown
    show.button.hidden = isShown
    if (show.hint) show.hint.hidden = isShown
  }
  const hide = () => reveal(false)
  let over: (() => void) | undefined
  const { promise: ended, end } = endable()
  show.button.addEventListener('click', () => {
    if (!show.counts()) return
    over ??= clock.after(SHOWN_FOR_MS, end)
    reveal(true)
    note.textContent = 'It is hidden when you leave this window, and gone after a minute.'
    shown.focus()
  })
  const content: readonly Child[] = [
    walletLine(address),
    ...warningLines([warning]),
    paragraph(use),
    ...show.rows,
    shown,
    element('p', {}, show.button, copy),
    show.hint,
    note,
  ]
  self.addEventListener('blur', hide)
  const read = () => undefined
  return screen
    .ask<void>({
      title,
      content,
      action: 'Done',
      only: 'action',
      signal,
      until: () => ended,
      onShown: show.start,
      read,
    })
    .catch((error: unknown) => {
      // The key was shown, so closing the window counts as done.
      if (!(error instanceof KeybayError && error.code === userRejected.code)) throw error
    })
    .finally(() => {
      over?.()
      show.stop()
      self.removeEventListener('blur', hide)
      hide()
      erase()
    })
}

function endable(): { readonly promise: Promise<void>; readonly end: () => void } {
  let end = () => {}
  const promise = new Promise<void>(resolve => {
    end = resolve
  })
  return { promise, end }
}
