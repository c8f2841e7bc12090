/** A link within the app: a real link, so that it can be copied, opened in a new tab, and reached by keyboard. */
import type { AnchorHTMLAttributes, MouseEvent, ReactElement } from 'react'
import { navigate } from './router.js'

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

/** Whether the click means “here”, not “in a new tab”. */
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
