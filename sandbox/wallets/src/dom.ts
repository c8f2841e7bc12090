/** Builds elements. Text is always set as text, so content from an app is never markup, and what is invisible is named. */

export type Child = Node | string | undefined | false
type Properties<K extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[K]> & {
  readonly [attribute: `aria-${string}`]: string
}

/** Names invisible characters, because they can reverse or hide others. An emoji may have its variation selector. */
function showInvisible(text: string): string {
  return text.replace(
    /(?!\ufe0f|[\t\n])[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\u2800]/gu,
    hidden => `‹U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`,
  )
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
  for (const child of children)
    if (child !== undefined && child !== false) element.append(typeof child === 'string' ? showInvisible(child) : child)
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
