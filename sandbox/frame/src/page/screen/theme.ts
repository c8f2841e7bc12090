/** Applies the operator's theme. The host has checked that its texts are legible. */
import type { Theme } from '../../configuration/theme.js'

export function applyTheme({ colors = {}, radius, font }: Theme, style: CSSStyleDeclaration): void {
  for (const [name, { light, dark }] of Object.entries(colors))
    style.setProperty(name === 'onAction' ? '--on-action' : `--${name}`, `light-dark(${light}, ${dark})`)
  if (radius !== undefined) style.setProperty('--radius', `${radius}px`)
  if (font !== undefined) style.setProperty('--font', font)
}
