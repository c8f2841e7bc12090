import { useUser } from '@keybay/account/react'
import { useSession } from '@keybay/react'
import type { ReactElement } from 'react'
import { Empty, Loading, Notice, Skeleton } from '../design/feedback.js'
import { Page } from '../shell/page.js'
import { SignInButton } from '../sign-in/sign-in-button.js'
import { useOpenSignIn } from '../sign-in/sign-in-provider.js'
import { explain } from '../wording.js'
import { CredentialsCard } from './credentials-card.js'
import { DeleteCard } from './delete-card.js'
import { MfaCard } from './mfa-card.js'
import { PasskeysCard } from './passkeys-card.js'
import { ProfileCard } from './profile-card.js'
import { SessionsCard } from './sessions-card.js'

/** Skeleton cards shown while the account loads. */
function LoadingCards(): ReactElement {
  return (
    <section className="card" aria-label="Profile">
      <Loading what="your account" />
      {[18, 26, 22].map(width => (
        <p key={width}>
          <Skeleton width={width} />
        </p>
      ))}
    </section>
  )
}

function SignedOut({ hasEnded }: { readonly hasEnded: boolean }): ReactElement {
  return (
    <section className="card">
      <Empty
        icon="user"
        title={hasEnded ? 'Your session has ended' : 'Sign in to see your account'}
        action={<SignInButton />}
      >
        {hasEnded
          ? 'Sign in again to go on. Nothing was lost.'
          : 'Here you choose how you sign in, protect your account, and see where you are signed in.'}
      </Empty>
    </section>
  )
}

/** Shown until the user finishes this step, because the API rejects every other request. */
function Unfinished(): ReactElement {
  const open = useOpenSignIn()
  return (
    <section className="card">
      <Empty
        icon="user"
        title="One step is missing"
        action={
          <button type="button" className="button button-primary" onClick={() => open()}>
            Finish signing in
          </button>
        }
      >
        You are signed in, but this app needs one more address of yours before you go on.
      </Empty>
    </section>
  )
}

export function AccountPage(): ReactElement {
  const session = useSession()
  const { user, status, error, refresh } = useUser()
  const isIn = session.status === 'authenticated'
  const isUnfinished = session.status === 'verification'
  return (
    <Page title="Account" width="narrow" lead="How you sign in, what protects it, and where you are signed in.">
      {isUnfinished && <Unfinished />}
      {!isIn && !isUnfinished && <SignedOut hasEnded={session.status === 'expired'} />}
      {isIn && status === 'error' && error && (
        <Notice kind="bad" title={user ? 'This may be out of date.' : 'Your account could not be loaded.'}>
          <span>{explain(error)}</span>
          <button type="button" className="button button-small" onClick={() => refresh.run()}>
            Try again
          </button>
        </Notice>
      )}
      {isIn && !user && status !== 'error' && <LoadingCards />}
      {isIn && user && (
        <>
          <ProfileCard user={user} />
          <CredentialsCard user={user} />
          <PasskeysCard user={user} />
          <MfaCard user={user} />
          <SessionsCard />
          <DeleteCard user={user} />
        </>
      )}
    </Page>
  )
}
