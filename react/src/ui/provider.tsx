import { type CSSProperties, createContext, type ReactElement, type ReactNode, useContext, useMemo } from 'react'
import type { UiLocale } from './messages.js'

/** Custom properties of the theme; `ink-soft` is `--keybay-ink-soft`. */
export type ThemeVariable =
  | 'font'
  | 'radius'
  | 'surface'
  | 'raised'
  | 'line'
  | 'ink'
  | 'ink-soft'
  | 'accent'
  | 'on-accent'
  | 'good'
  | 'warn'
  | 'error'
  | 'backdrop'

/** Parts that take a class of the host. `root` is the outermost element of each view. */
export type ThemePart = 'root' | 'dialog' | 'menu' | 'button' | 'field' | 'card' | 'notice' | 'row'

export interface Appearance {
  /** Default: `auto`, which follows `data-theme` on an ancestor, else the user’s preference. */
  readonly theme?: 'light' | 'dark' | 'auto'
  readonly variables?: { readonly [V in ThemeVariable]?: string }
  /** Classes added to the kit's own, e.g. `{ button: 'rounded-full' }`. */
  readonly classes?: { readonly [P in ThemePart]?: string }
}

export interface UiProviderProps {
  readonly appearance?: Appearance
  /** Default: `en`. */
  readonly locale?: UiLocale
  /** Returns the text for an error. Default: the error's message with advice, in the language of the UI. */
  readonly explainError?: (error: unknown) => string
  readonly children?: ReactNode
}

export interface Ui {
  readonly appearance: Appearance
  readonly locale: UiLocale
  /** Undefined without a provider: the page's own direction. */
  readonly dir: 'ltr' | 'rtl' | undefined
  /** Words of the host for errors: call `useExplain`, which has the default. */
  readonly explainError: ((error: unknown) => string) | undefined
}

const RIGHT_TO_LEFT: ReadonlySet<UiLocale> = new Set(['ar'])
const DEFAULT: Ui = { appearance: {}, locale: 'en', dir: undefined, explainError: undefined }
const Context = createContext<Ui>(DEFAULT)

/**
 * Returns the appearance and language of the nearest `UiProvider`.
 *
 * @example const { locale } = useUi()
 */
export function useUi(): Ui {
  return useContext(Context)
}

/**
 * Sets how the UI below it looks, and its language. Optional: without it the UI has the default look, in English.
 *
 * @example
 * <UiProvider locale="es" appearance={{ theme: 'dark', variables: { accent: '#7c3aed' }, classes: { button: 'pill' } }}>
 *   <AccountButton />
 * </UiProvider>
 */
export function UiProvider({ appearance, locale, explainError, children }: UiProviderProps): ReactElement {
  const outer = useUi()
  const value = useMemo<Ui>(
    () => ({
      appearance: appearance ?? outer.appearance,
      locale: locale ?? outer.locale,
      dir: locale ? (RIGHT_TO_LEFT.has(locale) ? 'rtl' : 'ltr') : outer.dir,
      explainError: explainError ?? outer.explainError,
    }),
    [appearance, locale, explainError, outer],
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}

/** Joins class names; skips what is empty. */
export function join(...classes: readonly (string | false | undefined)[]): string {
  return classes.filter(Boolean).join(' ')
}

/**
 * Returns the host's class of a part.
 *
 * @example const className = usePartClass('notice')
 */
export function usePartClass(part: ThemePart): string | undefined {
  return useUi().appearance.classes?.[part]
}

export interface RootAttributes {
  readonly className: string
  readonly dir: 'ltr' | 'rtl' | undefined
  readonly lang: string | undefined
  readonly 'data-theme': 'light' | 'dark' | undefined
  readonly style: CSSProperties | undefined
}

/**
 * Returns the attributes of the outermost element of a view: theme, direction and language. A view that is not inside
 * another one of the kit needs them.
 *
 * @example <section {...useRoot('acme-panel')}>…</section>
 */
export function useRoot(className?: string): RootAttributes {
  const { appearance, locale, dir } = useUi()
  const { theme, variables, classes } = appearance
  const style = useMemo(
    () =>
      variables && Object.fromEntries(Object.entries(variables).map(([name, value]) => [`--keybay-${name}`, value])),
    [variables],
  )
  return {
    className: join('keybay', className, classes?.root),
    dir,
    lang: dir && (locale === 'pseudo' ? 'en' : locale),
    'data-theme': theme === 'auto' ? undefined : theme,
    style,
  }
}
