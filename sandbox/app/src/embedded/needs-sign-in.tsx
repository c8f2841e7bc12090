import { useSession } from '@keybay/react'
import type { ReactElement, ReactNode } from 'react'
import { Empty } from '../design/feedback.js'
import { SignInButton } from '../sign-in/sign-in-button.js'

/** Renders its children for a signed-in user only, because a wallet belongs to a user. */
export function NeedsSignIn({ children }: { readonly children: ReactNode }): ReactElement {
  const { status } = useSession()
  if (status === 'authenticated') return <>{children}</>
  return (
    <section className="card">
      <Empty
        icon="shield"
        title={status === 'expired' ? 'Your session has ended' : 'Sign in to have a wallet of your own'}
        action={<SignInButton />}
      >
        {status === 'expired'
          ? 'Sign in again to go on. Your wallets are where they were.'
          : 'A wallet here belongs to your account. Its key is divided, so that no single machine can sign.'}
      </Empty>
    </section>
  )
}
