/** Link within the app: a real anchor, so that users can copy it, open it in a new tab, and reach it by keyboard. */
import type { AnchorHTMLAttributes, MouseEvent, ReactElement } from 'react'
import { navigate } from './router.js'

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

/** Returns true for a click that opens the page here, not in a new tab. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
}

export function Link({ to, onClick, ...rest }: LinkProps): ReactElement {
  return (
    <a
      {...rest}
      href={to}
      onClick={event => {
        onClick?.(event)
        if (event.defaultPrevented || !isPlainClick(event)) return
        event.preventDefault()
        navigate(to)
      }}
    />
  )
}
