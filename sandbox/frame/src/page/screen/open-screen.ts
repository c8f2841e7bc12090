/** Opens the screen of a visible frame, with its styles. They load with its code, so that a hidden frame loads neither. */
import type { Theme } from '../../configuration/theme.js'
import type { Session } from '../core/session.js'
import type { Phrases } from '../store/phrases.js'
import { identify, readIdentity } from './identity.js'
import { createScreen, type Screen, type ScreenOptions } from './screen.js'
import { applyTheme } from './theme.js'
import styles from './window.css?inline'

interface Shown extends ScreenOptions {
  readonly session: Session
  readonly store: Phrases
  readonly theme?: Theme | undefined
}

export function openScreen({ session, store, theme = {}, ...options }: Shown): Screen {
  applyTheme(theme, document.documentElement.style)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
  return identify(createScreen(options), () => readIdentity(session, store))
}
