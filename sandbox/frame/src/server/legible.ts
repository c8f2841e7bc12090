/** Refuses themes whose texts users could not read, such as a warning in the color of its background. */
import type { Theme } from '../configuration/theme.js'

type Colors = NonNullable<Theme['colors']>
export type Shades = NonNullable<Colors[keyof Colors]>

/** Colors of `style.css`. */
export const DEFAULT_COLORS: Readonly<Record<keyof Colors, Shades>> = {
  ink: { light: '#16181d', dark: '#f2f3f5' },
  paper: { light: '#ffffff', dark: '#17191e' },
  soft: { light: '#5b6270', dark: '#a6adba' },
  line: { light: '#d5d9e0', dark: '#363b45' },
  card: { light: '#f6f7f9', dark: '#20232a' },
  action: { light: '#2f4fd8', dark: '#8ea6ff' },
  onAction: { light: '#ffffff', dark: '#10131c' },
  alarm: { light: '#a3161b', dark: '#ff9d9a' },
}
/** Text and its background. */
const PAIRS = [
  ['ink', 'paper'],
  ['ink', 'card'],
  ['soft', 'paper'],
  ['soft', 'card'],
  ['alarm', 'paper'],
  ['alarm', 'card'],
  ['onAction', 'action'],
] as const
/** Least contrast of text: https://www.w3.org/TR/WCAG22/#contrast-minimum. */
const LEAST_CONTRAST = 4.5

/** Relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function getLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function getContrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [getLuminance(a), getLuminance(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

/** @throws TypeError that names the two colors */
export function assertLegible({ colors = {} }: Theme): void {
  for (const [text, back] of PAIRS)
    for (const scheme of ['light', 'dark'] as const) {
      const pick = (name: keyof Colors) => (colors[name] ?? DEFAULT_COLORS[name])[scheme]
      const contrast = getContrast(pick(text), pick(back))
      if (contrast < LEAST_CONTRAST)
        throw new TypeError(
          `theme.colors: ${text} on ${back} has a contrast of ${contrast.toFixed(2)} in ${scheme}; it takes ${LEAST_CONTRAST}`,
        )
    }
}
