import type { ReactElement } from 'react'
import { useOpenConnect } from './connect-provider.js'

/** @param isQuiet beside something that matters more */
export function ConnectButton({ isQuiet = false }: { readonly isQuiet?: boolean }): ReactElement {
  const open = useOpenConnect()
  return (
    <button type="button" className={isQuiet ? 'button connect-quiet' : 'button button-primary'} onClick={open}>
      <span>
        Connect<span className="connect-what"> wallet</span>
      </span>
    </button>
  )
}
