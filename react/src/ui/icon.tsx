import type { Connector } from '@keybay/kernel'
import { type ReactElement, useState } from 'react'

export interface IconProps {
  readonly connector: Pick<Connector, 'name' | 'icon'>
  /** CSS pixels; 32 by default. */
  readonly size?: number
}
/**
 * The icon of a connector, beside its name. Wallets are not trusted: an icon is an image from a data URL, which can neither
 * run a script nor contact a server. Any other becomes the first letter of the name.
 *
 * @example <Icon connector={connector} size={24} />
 */
export function Icon({ connector: { name, icon }, size = 32 }: IconProps): ReactElement {
  const [broken, setBroken] = useState<string>()
  const style = { width: size, height: size }
  if (/^data:image\//i.test(icon) && icon !== broken)
    return (
      <img
        className="keybay-icon"
        src={icon}
        alt=""
        width={size}
        height={size}
        style={style}
        onError={() => setBroken(icon)}
      />
    )
  return (
    <span className="keybay-icon" aria-hidden="true" style={{ ...style, fontSize: size / 2 }}>
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  )
}
