import type { ReactElement } from 'react'
import { useOpenConnect } from './connect-provider.js'

export function ConnectButton({ children = 'Connect wallet' }: { readonly children?: string }): ReactElement {
  const open = useOpenConnect()
  return (
    <button type="button" className="button button-primary" onClick={open}>
      {children}
    </button>
  )
}
