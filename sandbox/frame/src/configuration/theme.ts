/** Theme of the wallet's windows: colors, radius and font. Nothing else changes, so that users recognize the window. */
import * as v from 'valibot'

const color = v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i, 'is not a color such as #1a2b3c'))
const shades = v.optional(v.strictObject({ light: color, dark: color }))

export const themeSchema = v.strictObject({
  colors: v.optional(
    v.strictObject({
      ink: shades,
      paper: shades,
      soft: shades,
      line: shades,
      card: shades,
      action: shades,
      onAction: shades,
      alarm: shades,
    }),
  ),
  /** Radius of corners, in CSS pixels. */
  radius: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(24))),
  /** Font families of the user's device, as in CSS. */
  font: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[\w\s,'"-]+$/, 'is not a list of font families'))),
})
export type Theme = v.InferOutput<typeof themeSchema>
