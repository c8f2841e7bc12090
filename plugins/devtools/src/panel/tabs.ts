/** Tabs by the ARIA pattern: one stop of the Tab key, and arrow keys between them. */
import { element } from './dom.js'

export interface Tabs<T extends string> {
  readonly element: HTMLElement
  readonly selected: T
  /** Makes the element the tab panel of all tabs. */
  controls(panel: HTMLElement): void
}

export function createTabs<const T extends string>(names: readonly [T, ...T[]], onSelect: () => void): Tabs<T> {
  let selected: T = names[0]
  const tabs = names.map(name => element('button', { type: 'button', role: 'tab', id: name }, name))
  const list = element('div', { role: 'tablist', 'aria-label': 'Views' }, ...tabs)
  let panel: HTMLElement | undefined
  const show = () => {
    panel?.setAttribute('aria-labelledby', selected)
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab.id === selected))
      tab.tabIndex = tab.id === selected ? 0 : -1
    }
  }
  const select = (index: number) => {
    const at = (index + names.length) % names.length
    selected = names[at] ?? selected
    show()
    onSelect()
    return tabs[at]
  }
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => select(index))
    tab.addEventListener('keydown', ({ key }) => {
      if (key === 'ArrowRight') select(index + 1)?.focus()
      if (key === 'ArrowLeft') select(index - 1)?.focus()
    })
  })
  return {
    element: list,
    get selected() {
      return selected
    },
    controls(element) {
      panel = element
      panel.setAttribute('role', 'tabpanel')
      show()
    },
  }
}
