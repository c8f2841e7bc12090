import type { ReactElement } from 'react'
import { Glyph } from '../design/icons.js'
import { THEMES, useTheme } from './theme.js'

const looks = {
  auto: { icon: 'auto', says: 'Colours follow the system' },
  light: { icon: 'sun', says: 'Light colours' },
  dark: { icon: 'moon', says: 'Dark colours' },
} as const

/** Cycles through system, light and dark. */
export function ThemeButton(): ReactElement {
  const [theme, choose] = useTheme()
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
  const { icon, says } = looks[theme]
  const label = `${says}. Change to: ${looks[next].says.toLowerCase()}`
  return (
    <button
      type="button"
      className="button button-quiet button-icon button-small"
      aria-label={label}
      title={says}
      onClick={() => choose(next)}
    >
      <Glyph name={icon} size={18} />
    </button>
  )
}
