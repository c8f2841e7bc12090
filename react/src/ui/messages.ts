/** Texts of the UI in the language that `UiProvider` names. English is the source, and stands in until a language has loaded. */
import { createElement, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { useUi } from './provider.js'

/** Languages of the UI; `pseudo` is English with accents, for tests that look for text without a translation. */
export type UiLocale = 'en' | 'es' | 'ar' | 'pseudo'

/** English texts of some views, by key. `{name}` in a text is a placeholder. */
export interface MessageSection<T extends Readonly<Record<string, string>> = Readonly<Record<string, string>>> {
  /** Also the name of the file in each language's folder. */
  readonly name: string
  readonly texts: T
}
/** The same texts in another language. */
export type Translation<S extends MessageSection> = { readonly [K in keyof S['texts']]: string }

type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<T extends string, V> = [Names<T>] extends [never]
  ? readonly []
  : readonly [values: { readonly [N in Names<T>]: V }]

export interface Messages<T extends Readonly<Record<string, string>>> {
  /** Returns a text. In a right-to-left language its values keep their own direction; no value changes that of the text. */
  text<K extends keyof T>(key: K, ...values: Values<T[K], string | number>): string
  /** Returns a text with elements in it. Each value is isolated, so that it keeps its own direction. */
  rich<K extends keyof T>(key: K, ...values: Values<T[K], ReactNode>): ReactNode
}

type Texts = Readonly<Record<string, string>>
const loaded = new Map<string, Texts>()
const asked = new Set<string>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Loads the texts of a section. A host calls it ahead of time to avoid English texts while a language loads.
 *
 * @example await loadMessages('es', 'ui')
 */
export async function loadMessages(locale: UiLocale, section: string): Promise<void> {
  const key = `${locale}/${section}`
  if (locale === 'en' || loaded.has(key)) return
  const { loadTexts } = await import('./locales/load.js')
  const texts = await loadTexts(locale, section)
  if (!texts || loaded.has(key)) return
  loaded.set(key, texts)
  for (const listener of listeners) listener()
}

/** Returns undefined until the texts are loaded, which the first call starts. */
function getTexts(locale: UiLocale, section: string): Texts | undefined {
  const key = `${locale}/${section}`
  if (locale !== 'en' && !asked.has(key)) {
    asked.add(key)
    // A failed load leaves English, and the next page load tries again.
    loadMessages(locale, section).catch(() => asked.delete(key))
  }
  return loaded.get(key)
}

/** First strong isolate, and the end of one. */
const ISOLATE = ['\u2068', '\u2069'] as const

/** Characters by which a value, such as a name, could turn around the text after it. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g

/** Splits a text at its placeholders: the odd parts are names. */
function split(text: string): readonly string[] {
  return text.split(/\{(\w+)\}/)
}

/**
 * Returns the texts of a section in the language of the UI. For views: keep the texts of a view in a section of its own,
 * which loads with the view.
 *
 * @example
 * const { text, rich } = useMessages(ui)
 * text('disconnect', { name: 'Phantom' })
 */
export function useMessages<T extends Readonly<Record<string, string>>>({
  name,
  texts,
}: MessageSection<T>): Messages<T> {
  const { locale, dir } = useUi()
  const translated = useSyncExternalStore(
    subscribe,
    () => getTexts(locale, name),
    () => undefined,
  )
  return useMemo(() => {
    const find = (key: keyof T) => translated?.[String(key)] ?? texts[key] ?? ''
    const [start, end] = dir === 'rtl' ? ISOLATE : ['', '']
    return {
      text: (key, ...[values]) =>
        split(find(key))
          .map((part, index) =>
            index % 2 ? start + String(getValue(values, part)).replace(DIRECTION, '') + end : part,
          )
          .join(''),
      rich: (key, ...[values]) =>
        split(find(key)).map((part, index) =>
          index % 2 ? createElement('bdi', { key: index }, getValue<ReactNode>(values, part)) : part,
        ),
    }
  }, [translated, texts, dir])
}

function getValue<V>(values: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return values?.[name]
}
