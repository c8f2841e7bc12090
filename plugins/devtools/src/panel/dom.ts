/** Builds elements. Text becomes text nodes, so an event can't inject markup. */

type Attributes = Readonly<Record<string, string>>

export function element<const K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** @param label accessible name, which begins with the text */
export function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', 'aria-label': label }, text)
  made.addEventListener('click', onClick)
  return made
}

export interface ListView<T> {
  readonly element: HTMLElement
  /** Shows the items, last first. An item whose id is shown already keeps its element, so that focus stays where it is. */
  show(items: readonly T[]): void
}

/** @param fill puts an item into its element, which may hold its previous version */
export function createList<T extends { readonly id: number }>(
  label: string,
  fill: (target: HTMLLIElement, item: T) => void,
): ListView<T> {
  const list = element('ol', { 'aria-label': `${label}, newest first` })
  const shown = new Map<number, { readonly element: HTMLLIElement; item: T | undefined }>()
  return {
    element: list,
    show(items) {
      const ids = new Set(items.map(({ id }) => id))
      for (const [id, { element: old }] of shown)
        if (!ids.has(id)) {
          old.remove()
          shown.delete(id)
        }
      items.toReversed().forEach((item, index) => {
        const row = shown.get(item.id) ?? { element: element('li', {}), item: undefined }
        shown.set(item.id, row)
        if (row.item !== item) fill(row.element, item)
        row.item = item
        if (list.children[index] !== row.element) list.insertBefore(row.element, list.children[index] ?? null)
      })
    },
  }
}

/** Puts a summary and a content into a `details`, which stays open or closed. */
export function fillDetails(target: HTMLLIElement, summary: readonly Node[], content: Node): void {
  const details = target.querySelector('details') ?? element('details', {}, element('summary', {}))
  if (!details.isConnected) target.append(details)
  details.querySelector('summary')?.replaceChildren(...summary)
  details.replaceChildren(...[details.firstElementChild, content].filter(child => child !== null))
}
