/** Makes texts of English that are marked, so that a test finds the ones that are not translated. */
import type { MessageSection } from '../messages.js'

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
}

function accent(text: string): string {
  // Placeholders stay as they are.
  const parts = text.split(/(\{\w+\})/)
  return parts
    .map((part, index) => (index % 2 ? part : part.replace(/[aeiou]/gi, letter => ACCENTS[letter] ?? letter)))
    .join('')
}

/** Returns the texts of an English section, marked. */
export function pseudo({ texts }: MessageSection): { readonly texts: Readonly<Record<string, string>> } {
  return { texts: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, `⟦${accent(text)}⟧`])) }
}
