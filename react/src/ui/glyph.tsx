import type { ReactElement } from 'react'

const paths = {
  home: 'M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4.5v-5h-5v5H5a1 1 0 0 1-1-1z',
  send: 'M6 18 18 6M9 6h9v9',
  receive: 'M18 6 6 18M15 18H6V9',
  sign: 'M4 19.5h16M5 15.5l9.8-9.8a2 2 0 0 1 2.9 0l.6.6a2 2 0 0 1 0 2.9L8.5 19H5z',
  explore: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  lab: 'M9.5 4h5M10.5 4v5.5L5.4 18a1.4 1.4 0 0 0 1.2 2h10.8a1.4 1.4 0 0 0 1.2-2l-5.1-8.5V4M8 15h8',
  code: 'm8 8-4 4 4 4M16 8l4 4-4 4M13.5 5.5l-3 13',
  wallet:
    'M4 8.5A2.5 2.5 0 0 1 6.5 6H17a1 1 0 0 1 1 1v2M4 8.5V17a2 2 0 0 0 2 2h12.5a1 1 0 0 0 1-1v-8a1 1 0 0 0-1-1H4.5M16 14h.01',
  copy: 'M9 9h10v10H9zM15 9V5H5v10h4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6 6 18',
  alert: 'M12 8.5v4.5M12 16.5v.01M12 3.5 2.8 19.5h18.4z',
  info: 'M12 11v5.5M12 7.5v.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  drop: 'M12 3.5s6 6.3 6 10.7a6 6 0 0 1-12 0c0-4.4 6-10.7 6-10.7z',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4h-4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 13.5A8 8 0 1 1 10.5 4a6.5 6.5 0 0 0 9.5 9.5z',
  auto: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 4v16M12 8h6M12 12h8M12 16h6',
  leave: 'M14 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h8M10 12h10M16.5 8.5 20 12l-3.5 3.5',
  back: 'M20 12H4.5M11 5.5 4.5 12l6.5 6.5',
  user: 'M12 12.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20a7.5 7.5 0 0 1 15 0',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  key: 'M14.5 14.5a5 5 0 1 0-4.6-3L3.5 18v2.5h3v-2h2v-2h2l1.7-1.9a5 5 0 0 0 2.3-.1zM16 8h.01',
  shield: 'M12 3.5 5 6v5.5c0 4.2 2.9 7.5 7 9 4.1-1.5 7-4.8 7-9V6zM9 12l2.2 2.2L15.2 10',
  device: 'M4 5h16v11H4zM2.5 19.5h19',
  host: 'M4 10.5 12 5l8 5.5M6 10v8M10 10.5V18M14 10.5V18M18 10v8M4 20h16',
  edit: 'M4 20h4L19 9a2 2 0 0 0 0-2.8L17.8 5A2 2 0 0 0 15 5L4 16z',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7',
  plus: 'M12 5v14M5 12h14',
  block: 'm12 3.5 8 4.3v8.4l-8 4.3-8-4.3V7.8zM4 7.8l8 4.4 8-4.4M12 12.2v8.3',
} as const
export type GlyphName = keyof typeof paths

export interface GlyphProps {
  readonly name: GlyphName
  /** CSS pixels; 20 by default. */
  readonly size?: number
}
/**
 * Decorative icon beside a text or an `aria-label`, hidden from screen readers.
 *
 * @example <Glyph name="check" size={16} />
 */
export function Glyph({ name, size = 20 }: GlyphProps): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
