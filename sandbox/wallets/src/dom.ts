/** Builds elements. Text is always set as text, so content from an app is never markup. */

export type Child = Node | string | undefined | false
type Properties<K extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[K]> & {
  readonly [attribute: `aria-${string}`]: string
}

/**
 * @example h('button', { type: 'button', onclick: reject, 'aria-label': 'Close' }, '×')
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<K> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'role' || name.includes('-')) element.setAttribute(name, String(value))
    else Object.assign(element, { [name]: value })
  }
  element.append(...children.filter(child => child !== undefined && child !== false))
  return element
}

export function div(className: string, ...children: readonly Child[]): HTMLElement {
  return h('div', { className }, ...children)
}

export function span(className: string, ...children: readonly Child[]): HTMLElement {
  return h('span', { className }, ...children)
}

export function p(className: string, ...children: readonly Child[]): HTMLElement {
  return h('p', { className }, ...children)
}
