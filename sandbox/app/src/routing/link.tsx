/** Link within the app: a real anchor, so that users can copy it, open it in a new tab, and reach it by keyboard. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { type ButtonLook, buttonClass, Glyph, type GlyphName } from '../design/index.js'
import { navigate } from './router.js'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { readonly to: string }

/** Returns true for a click that opens the page here, not in a new tab. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
}

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    navigate(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}

type LinkButtonProps = LinkProps & ButtonLook & { readonly text: ReactNode; readonly icon?: GlyphName }

export function LinkButton({ text, icon, kind, small, wide, className, ...rest }: LinkButtonProps) {
  const look = { kind, ...(small && { small }), ...(wide && { wide }), ...(className && { className }) }
  return (
    <Link {...rest} className={buttonClass(look)}>
      {icon && <Glyph name={icon} size={18} />}
      {text}
    </Link>
  )
}
