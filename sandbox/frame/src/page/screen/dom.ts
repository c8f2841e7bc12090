/** Creates DOM elements. Text becomes text nodes only, and invisible characters are made visible. */
import { toKeybayError } from '@keybay/kernel/spec'

type Properties = Readonly<Record<string, string | boolean | undefined>>
export type Child = Node | string | undefined

/** Shows invisible characters by name, because they can reverse, join or hide others. */
function seen(text: string): string {
  return text.replace(
    // An emoji may have the variation selector U+FE0F, and lines end with CR LF.
    /(?!\ufe0f)[\p{Cf}\p{DI}\p{Zl}\p{Zp}\u2800\ufffc\u{1d159}]|(?![\t\n]|\r\n)\p{Cc}/gu,
    hidden => `‹U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`,
  )
}

/**
 * @param attributes `true` sets an empty attribute; `false` and undefined set none
 * @example element('p', { class: 'note' }, 'Hello')
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value)
  for (const child of children) if (child !== undefined) made.append(typeof child === 'string' ? seen(child) : child)
  return made
}

export function checkbox(id: string, label: string): { readonly row: HTMLElement; readonly input: HTMLInputElement } {
  const input = element('input', { type: 'checkbox', id })
  return { input, row: element('p', { class: 'check' }, input, element('label', { for: id }, label)) }
}

export interface RadioOption<T extends string> {
  readonly value: T
  readonly label: string
  readonly hint: string
}
export function radios<T extends string>(
  legend: string,
  options: readonly RadioOption<T>[],
  first: T,
): { readonly row: HTMLElement; readonly read: () => T } {
  const inputs = new Map<HTMLInputElement, T>()
  const rows = options.map(({ value, label, hint }) => {
    const id = `radio-${value}`
    const attributes = { type: 'radio', name: legend, id, value, checked: value === first }
    const input = element('input', { ...attributes, 'aria-describedby': `${id}-hint` })
    inputs.set(input, value)
    const text = element('span', {}, element('label', { for: id }, label), element('small', { id: `${id}-hint` }, hint))
    return element('p', { class: 'check' }, input, text)
  })
  return {
    row: element('fieldset', {}, element('legend', {}, legend), ...rows),
    read: () => [...inputs].find(([input]) => input.checked)?.[1] ?? first,
  }
}

export function paragraph(text: string, kind?: 'note' | 'problem'): HTMLParagraphElement {
  return element('p', { class: kind }, text)
}

/** Shows why a frame does not start. */
export function showRefusal(place: HTMLElement, error: unknown): void {
  const text = document.createElement('p')
  text.setAttribute('role', 'alert')
  text.textContent = toKeybayError(error).message
  place.replaceChildren(text)
}

let ids = 0
export function field(
  label: string,
  attributes: Properties,
  hint?: string,
): { readonly row: HTMLElement; readonly input: HTMLInputElement } {
  ids += 1
  const id = `field-${ids}`
  const input = element('input', { id, ...attributes, 'aria-describedby': hint && `${id}-hint` })
  const row = element(
    'p',
    { class: 'field' },
    element('label', { for: id }, label),
    input,
    hint ? element('small', { id: `${id}-hint` }, hint) : undefined,
  )
  return { row, input }
}
