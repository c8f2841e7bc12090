import type { ReactElement } from 'react'
import { useOpenSignIn } from './sign-in-provider.js'

export function SignInButton({ children = 'Sign in' }: { readonly children?: string }): ReactElement {
  const open = useOpenSignIn()
  return (
    <button type="button" className="button button-primary" onClick={() => open()}>
      {children}
    </button>
  )
}
