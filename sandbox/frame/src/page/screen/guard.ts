/** Creates the confirm button. If something could cover the frame, a click alone is no consent. */
import type { Clock } from '@keybay/kernel/spec'
import { element, field } from './dom.js'
import { type Reading, trackReading } from './reading.js'
import { canSeeOcclusion, type Sight, type Watch, watchVisibility } from './visibility.js'

export interface GuardedButton {
  readonly button: HTMLButtonElement
  /** Content above the button. */
  readonly rows: readonly HTMLElement[]
  /** Says what the user has to do before the button counts, beside the button. */
  readonly hint: HTMLElement | undefined
  counts(): boolean
  /** Starts the guard. Call it once the button is on its screen. */
  start(): void
  stop(): void
}

/** Number of characters of the address to type, which the user cannot know without reading it. */
const TYPED = 4
/** Time that the window may look covered, as during a scroll, before the user reads that it is. */
const COVERED_FOR_MS = 300

const HINTS = {
  covered: 'Something covers this window. Scroll until you see all of it.',
  tiny: 'This window is too small. Zoom in: Ctrl or Cmd and +.',
  unread: 'Scroll to the end to continue.',
  skipped: 'You skipped a part. Scroll back to see it.',
} as const
type HintName = keyof typeof HINTS

/** Returns the element that scrolls the prompt of a button. */
function getScroller(button: Element): Element {
  return button.closest('.question')?.querySelector('.parts') ?? document.body
}

/** Returns the elements that the button confirms: the screen without fields, buttons and status. */
function getParts(scroller: Element): readonly Element[] {
  return [...scroller.children].filter(
    part => !part.hasAttribute('role') && !part.querySelector('button, input, select'),
  )
}

/** @param address whose end the user types if the browser cannot detect occlusion; if undefined, every click counts */
export function guardedButton(label: string, clock: Clock, address: string | undefined): GuardedButton {
  const button = element('button', { type: 'button' }, label)
  const free = { button, rows: [], hint: undefined, counts: () => true, start: () => {}, stop: () => {} }
  if (address === undefined) return free
  return canSeeOcclusion() ? watched(button, clock) : typed(button, address)
}

/** Keeps the space of its longest text, because users miss a button that moves when it becomes clickable. */
function createHint(names: readonly HintName[]) {
  const texts = new Map(names.map(name => [name, element('span', {}, HINTS[name])]))
  const show = (shown: HintName | undefined) => {
    for (const [name, text] of texts) text.style.visibility = name === shown ? 'visible' : 'hidden'
  }
  show(undefined)
  return { hint: element('div', { class: 'note hint', role: 'status' }, ...texts.values()), show }
}

function watched(button: HTMLButtonElement, clock: Clock): GuardedButton {
  const { hint, show } = createHint(['covered', 'tiny', 'unread', 'skipped'])
  let watch: Watch | undefined
  let cancel: (() => void) | undefined
  button.disabled = true
  const update = (sight: Sight) => {
    cancel?.()
    button.disabled = sight !== 'seen'
    // Ignore a hidden button.
    const showHint = () => show(sight === 'seen' || button.hidden ? undefined : sight)
    if (sight === 'covered') cancel = clock.after(COVERED_FOR_MS, showHint)
    else showHint()
  }
  return {
    button,
    rows: [],
    hint,
    counts: () => !button.disabled,
    start() {
      const scroller = getScroller(button)
      watch = watchVisibility({ button, scroller, parts: getParts(scroller) }, clock, update)
    },
    stop() {
      cancel?.()
      watch?.stop()
    },
  }
}

function typed(button: HTMLButtonElement, address: string): GuardedButton {
  const { row, input } = field(
    `The last ${TYPED} characters of ${address}`,
    { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', maxlength: String(TYPED) },
    'This protects you from clicks on something you can’t see.',
  )
  const { hint, show } = createHint(['unread', 'skipped'])
  let reading: Reading | undefined
  const update = () => {
    reading?.record()
    const isRead = reading?.isDone() === true
    button.disabled = !isRead || input.value.trim() !== address.slice(-TYPED)
    show(isRead || button.hidden ? undefined : reading?.isAtEnd() ? 'skipped' : 'unread')
  }
  input.addEventListener('input', update)
  return {
    button,
    rows: [row],
    hint,
    counts: () => !button.disabled,
    start() {
      reading = trackReading(getScroller(button), update)
      update()
    },
    stop: () => reading?.stop(),
  }
}
