const ATTRIBUTES = ['aria-label', 'title', 'placeholder', 'alt'] as const

function getTexts(root: ParentNode): readonly string[] {
  return [...root.querySelectorAll('*')].flatMap(element => [
    ...[...element.childNodes].filter(node => node.nodeType === 3).map(node => node.textContent ?? ''),
    ...ATTRIBUTES.map(name => element.getAttribute(name) ?? ''),
  ])
}

/**
 * Finds text that is not from a catalogue, in UI that is rendered with the locale `pseudo`: returns the texts below `root` that
 * are outside of its marks. A marked text may be split at its placeholders, so the marks are matched over the whole.
 *
 * @example expect(getUntranslated(document.body, ['Phantom'])).toEqual([])
 * @param data texts that no catalogue has: names, addresses
 */
export function getUntranslated(root: ParentNode, data: readonly string[]): readonly string[] {
  let depth = 0
  const outside: string[] = []
  for (const text of getTexts(root)) {
    const plain = data.reduce((rest, word) => rest.replaceAll(word, ''), text)
    for (const part of plain.split(/([⟦⟧])/)) {
      if (part === '⟦') depth += 1
      else if (part === '⟧') depth -= 1
      else if (depth === 0 && /\p{L}/u.test(part)) outside.push(text)
    }
  }
  return outside
}
