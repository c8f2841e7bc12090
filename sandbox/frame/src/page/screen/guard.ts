/** Creates the confirm button. If something could cover the frame, a click alone is no consent. */
import type { Clock } from '@keybay/kernel/spec'
import { element, field } from './dom.js'
import { canSeeOcclusion, type Watch, watchVisibility } from './visibility.js'

export interface GuardedButton {
  readonly button: HTMLButtonElement
  /** Content above the button. */
  readonly rows: readonly HTMLElement[]
  /** Content below the button, where it does not move the button. */
  readonly below: readonly HTMLElement[]
  counts(): boolean
  /** Starts the guard. Call it once the button is on its screen. */
  start(): void
  stop(): void
}

/** Number of characters of the address to type, which the user cannot know without reading it. */
const TYPED = 4

/** Returns the elements that the button confirms: the screen without fields, buttons and status. */
function partsAround(button: Element): readonly Element[] {
  return [...(button.closest('.question')?.children ?? [])].filter(
    part => !part.hasAttribute('role') && !part.querySelector('button, input, select'),
  )
}

/** @param address whose end the user types if the browser cannot detect occlusion; if undefined, every click counts */
export function guardedButton(label: string, clock: Clock, address: string | undefined): GuardedButton {
  const button = element('button', { type: 'button' }, label)
  const free: GuardedButton = { button, rows: [], below: [], counts: () => true, start: () => {}, stop: () => {} }
  if (address === undefined) return free
  return canSeeOcclusion() ? watched(button, clock) : typed(button, address)
}

function watched(button: HTMLButtonElement, clock: Clock): GuardedButton {
  // Use one text for both causes, because a growing row moves the content above it in a window scrolled to its end.
  const covered = element(
    'p',
    { class: 'note', role: 'status' },
    'Something covers this window. If part of it is out of sight, scroll until you see it.',
  )
  let watch: Watch | undefined
  const show = (seen: boolean) => {
    button.disabled = !seen
    // Ignore a hidden button. Keep the row's space, because users miss a button that moves when it becomes clickable.
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
