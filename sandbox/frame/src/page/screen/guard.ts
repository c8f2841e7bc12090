/** The button that agrees. Where something could lie over the frame, a click alone is no consent. */
import type { Clock } from '@keybay/kernel/spec'
import { element, field } from './dom.js'
import { canSeeOcclusion, type Watch, watchVisibility } from './visibility.js'

export interface GuardedButton {
  readonly button: HTMLButtonElement
  /** Content above the button. */
  readonly rows: readonly HTMLElement[]
  /** Content below the button, where it does not move the button. */
  readonly below: readonly HTMLElement[]
  /** Returns whether a click counts now. */
  counts(): boolean
  /** Once it stands in its question. */
  start(): void
  stop(): void
}

/** So many characters of the address cannot be typed without having read it. */
const TYPED = 4

/** Returns the elements that the button agrees to: the question without fields, buttons and status. */
function partsAround(button: Element): readonly Element[] {
  return [...(button.closest('.question')?.children ?? [])].filter(
    part => !part.hasAttribute('role') && !part.querySelector('button, input, select'),
  )
}

/** @param address whose end is typed where the browser cannot tell what is seen; without one every click counts */
export function guardedButton(label: string, clock: Clock, address: string | undefined): GuardedButton {
  const button = element('button', { type: 'button' }, label)
  const free: GuardedButton = { button, rows: [], below: [], counts: () => true, start: () => {}, stop: () => {} }
  if (address === undefined) return free
  return canSeeOcclusion() ? watched(button, clock) : typed(button, address)
}

function watched(button: HTMLButtonElement, clock: Clock): GuardedButton {
  // One text for both: a row that grows moves what is above it, where the window is scrolled to its end.
  const covered = element(
    'p',
    { class: 'note', role: 'status' },
    'Something covers this window. If part of it is out of sight, scroll until you see it.',
  )
  let watch: Watch | undefined
  const show = (seen: boolean) => {
    button.disabled = !seen
    // A button that stands back is not looked for. The row keeps its place: a button that moves just as it begins to count is missed.
    covered.style.visibility = seen || button.hidden ? 'hidden' : 'visible'
  }
  show(false)
  covered.style.visibility = 'hidden'
  return {
    button,
    rows: [],
    below: [covered],
    counts: () => !button.disabled,
    start() {
      watch = watchVisibility({ button, parts: partsAround(button) }, clock, show)
    },
    stop: () => watch?.stop(),
  }
}

function typed(button: HTMLButtonElement, address: string): GuardedButton {
  const { row, input } = field(
    `The last ${TYPED} characters of ${address}`,
    { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', maxlength: String(TYPED) },
    'This protects you from clicks on something you can’t see.',
  )
  const fits = () => input.value.trim() === address.slice(-TYPED)
  const update = () => {
    button.disabled = !fits()
  }
  input.addEventListener('input', update)
  return { button, rows: [row], below: [], counts: fits, start: update, stop: () => {} }
}
