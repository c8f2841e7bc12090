/** The panel beside the page: a landmark in a shadow root, so that the styles of page and panel do not meet. */
import type { Kernel } from '@keybay/kernel'
import { toActions } from '../actions/rules.js'
import type { Entry } from '../api.js'
import { PANEL_ATTRIBUTE, type Recorder } from '../recorder.js'
import { button, element } from './dom.js'
import { actionsToJson, eventsToJson, stateToJson } from './exported.js'
import { styles } from './styles.js'
import { createTabs } from './tabs.js'
import { createActionsView, createEventsView, createStateView } from './views.js'
import { filterBy } from './words.js'

export interface PanelOptions {
  readonly kernel: Kernel
  readonly recorder: Recorder
  readonly title: string
  readonly onClose: () => void
}
const TABS = ['Actions', 'Events', 'State'] as const
type Tab = (typeof TABS)[number]

const HELP = {
  nothing: 'Nothing has happened yet. Connect a wallet, or send something.',
  Actions: 'No action has these words. Clear the filter to see all.',
  Events: 'No event has these words. Clear the filter to see all.',
}

class Panel {
  readonly #options: PanelOptions
  readonly #actions = createActionsView()
  readonly #events = createEventsView()
  readonly #state: ReturnType<typeof createStateView>
  readonly #tabs = createTabs(TABS, () => this.#change())
  readonly #filter = element('input', { type: 'search', placeholder: 'e.g. transaction' })
  readonly #pause = button('Pause', 'Pause', () => this.#togglePause())
  readonly #copy = button('Copy', 'Copy', () => void this.#copyJson())
  readonly #note = element('p', { role: 'status' })
  readonly #empty = element('p', {})
  /** The entries at the time of the pause. */
  #frozen: readonly Entry[] | undefined
  #copied = ''

  constructor(options: PanelOptions) {
    this.#options = options
    this.#state = createStateView(options.kernel)
  }

  /** @returns what removes it */
  open(): () => void {
    const { kernel, recorder } = this.#options
    const host = element('div', { [PANEL_ATTRIBUTE]: '' })
    // A page that says nothing about colours follows the system here; any other page decides.
    const isUndecided = getComputedStyle(document.documentElement).colorScheme === 'normal'
    host.style.colorScheme = isUndecided ? 'light dark' : 'inherit'
    const shadow = host.attachShadow({ mode: 'open' })
    shadow.adoptedStyleSheets = [styles()]
    shadow.append(this.#build())
    document.body.append(host)
    const show = () => this.#show()
    const offs = [recorder.entries, kernel.connectors, kernel.connections, kernel.session].map(store =>
      store.subscribe(show),
    )
    show()
    return () => {
      for (const off of offs) off()
      host.remove()
    }
  }

  #build(): HTMLElement {
    const { title, onClose, recorder } = this.#options
    const clear = button('Clear', 'Clear', () => {
      this.#frozen = undefined
      recorder.clear()
      this.#change()
    })
    this.#filter.addEventListener('input', () => this.#change())
    const tools = element('div', { class: 'tools' }, this.#filter, this.#pause, this.#copy, clear)
    const views = [this.#actions.element, this.#events.element, this.#state.element]
    const content = element('div', { class: 'content' }, this.#empty, ...views)
    const close = button('×', `Close ${title}`, onClose)
    const head = element('div', { class: 'head' }, element('h2', {}, title), close)
    const panel = element('aside', { 'aria-label': title }, head, this.#tabs.element, tools, this.#note, content)
    this.#tabs.controls(content)
    panel.addEventListener('keydown', event => {
      // In the filter, the first Escape clears the text.
      const clears = event.target === this.#filter && this.#filter.value !== ''
      if (event.key === 'Escape' && !clears) onClose()
    })
    return panel
  }

  /** Shows what the user changed. */
  #change(): void {
    this.#copied = ''
    this.#show()
  }

  #show(): void {
    const tab = this.#tabs.selected
    const live = this.#options.recorder.entries.get()
    const entries = this.#frozen ?? live
    this.#actions.element.hidden = tab !== 'Actions'
    this.#events.element.hidden = tab !== 'Events'
    this.#state.element.hidden = tab !== 'State'
    this.#filter.setAttribute('aria-label', `Filter ${tab.toLowerCase()}`)
    this.#filter.disabled = tab === 'State'
    this.#copy.setAttribute('aria-label', `Copy ${tab.toLowerCase()} as JSON`)
    this.#pause.setAttribute('aria-pressed', String(this.#frozen !== undefined))
    const newest = this.#frozen?.at(-1)?.id ?? 0
    const missed = live.filter(({ id }) => id > newest).length
    const paused = this.#frozen ? `Paused. ${missed || 'Nothing'} new since.` : ''
    const note = `${paused} ${this.#copied}`.trim()
    if (this.#note.textContent !== note) this.#note.textContent = note // so that a screen reader says it once
    const shown = this.#fill(tab, entries)
    this.#empty.hidden = tab === 'State' || shown > 0
    this.#empty.textContent = tab !== 'State' && this.#filter.value.trim() ? HELP[tab] : HELP.nothing
  }

  /** @returns how many items are shown */
  #fill(tab: Tab, entries: readonly Entry[]): number {
    if (tab === 'State') this.#state.show()
    const actions = tab === 'Actions' ? filterBy(toActions(entries), this.#filter.value) : []
    const events = tab === 'Events' ? filterBy(entries, this.#filter.value) : []
    this.#actions.show(actions)
    this.#events.show(events)
    return actions.length + events.length
  }

  #togglePause(): void {
    this.#frozen = this.#frozen ? undefined : this.#options.recorder.entries.get()
    this.#change()
  }

  /** Copies what the tab shows. */
  async #copyJson(): Promise<void> {
    const entries = this.#frozen ?? this.#options.recorder.entries.get()
    const json = {
      Actions: () => actionsToJson(filterBy(toActions(entries), this.#filter.value)),
      Events: () => eventsToJson(filterBy(entries, this.#filter.value)),
      State: () => stateToJson(this.#options.kernel),
    }[this.#tabs.selected]()
    this.#copied = await navigator.clipboard.writeText(json).then(
      () => 'Copied',
      () => "Your browser doesn't allow copying. Run keybay.devtools.export() in the console.",
    )
    this.#show()
  }
}

/** Shows the panel. @returns what removes it */
export function showPanel(options: PanelOptions): () => void {
  const before = document.activeElement
  const close = new Panel(options).open()
  return () => {
    const hadFocus = document.activeElement?.hasAttribute(PANEL_ATTRIBUTE)
    close()
    if (hadFocus && before instanceof HTMLElement) before.focus()
  }
}
