/** Light, dark or system theme. `public/theme.js` applies the stored choice before the first paint. */
import { useState } from 'react'
import { readPreference, writePreference } from './preferences.js'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

function isTheme(value: unknown): value is Theme {
  return THEMES.some(theme => theme === value)
}

function stored(): Theme {
  const theme = readPreference('theme')
  return isTheme(theme) ? theme : 'auto'
}

export function useTheme(): readonly [theme: Theme, choose: (theme: Theme) => void] {
  const [theme, setTheme] = useState(stored)
  const choose = (next: Theme) => {
    if (next === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    writePreference('theme', next)
    setTheme(next)
  }
  return [theme, choose]
}
