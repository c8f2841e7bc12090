/** Opens the screen of a visible frame, with its styles. They load with its code, so that a hidden frame loads neither. */
import { createScreen, type Screen, type ScreenOptions } from './screen.js'
import styles from './window.css?inline'

export function openScreen(options: ScreenOptions): Screen {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
  return createScreen(options)
}
