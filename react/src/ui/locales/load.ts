/** Loads the texts of one section in one language. */
import type { UiLocale } from '../messages.js'
import { pseudo } from './pseudo.js'

type Texts = Readonly<Record<string, string>>

const FILES: {
  readonly [L in Exclude<UiLocale, 'en'>]: Readonly<Record<string, () => Promise<{ readonly texts: Texts }>>>
} = {
  es: { ui: () => import('./es/ui.js') },
  ar: { ui: () => import('./ar/ui.js') },
  pseudo: { ui: async () => ({ texts: pseudo((await import('./en/ui.js')).ui.texts) }) },
}

/** Returns undefined for a section that the language does not have. */
export async function loadTexts(locale: Exclude<UiLocale, 'en'>, section: string): Promise<Texts | undefined> {
  return (await FILES[locale][section]?.())?.texts
}
