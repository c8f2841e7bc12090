import { useUser } from '@keybay/account/react'
import { ProfileCard, SecurityPanel, type SecuritySlots } from '@keybay/account/ui'
import { useSession } from '@keybay/react'
import { Empty, Failure, Loading, Page } from '../design/index.js'
import { QrCode } from '../design/qr-code.js'
import { InboxLink } from '../inbox-link.js'
import { navigate } from '../routing/router.js'
import { SignInButton, useOpenSignIn } from '../sign-in/sign-in-provider.js'
import { Losses } from './losses.js'

function SignedOut({ hasEnded }: { readonly hasEnded: boolean }) {
  const title = hasEnded ? 'Your session has ended' : 'Sign in to see your account'
  return (
    <Empty icon="user" title={title} action={<SignInButton />}>
      {hasEnded
        ? 'Sign in again to go on. Nothing was lost.'
        : 'Here you choose how you sign in, protect your account, and see where you are signed in.'}
    </Empty>
  )
}

/** Shown until the user finishes this step, because the API rejects every other request. */
const unfinished = (
  <Empty icon="user" title="One step is missing" action={<SignInButton>Finish signing in</SignInButton>}>
    You are signed in, but this app needs one more address of yours before you go on.
  </Empty>
)

const slots: SecuritySlots = {
  qrCode: (text, label) => <QrCode text={text} label={label} />,
  codeHint: () => <InboxLink />,
  losses: user => <Losses user={user} />,
}

function leave(): void {
  navigate('/')
}

export function AccountPage() {
  const open = useOpenSignIn()
  const session = useSession()
  const { user, status, error, refresh } = useUser()
  const isIn = session.status === 'authenticated'
  const signedOut = <SignedOut hasEnded={session.status === 'expired'} />
  const failed = user ? 'This may be out of date.' : 'Your account could not be loaded.'
  return (
    <Page title="Account" width="narrow" lead="How you sign in, what protects it, and where you are signed in.">
      {!isIn && <section className="keybay-card">{session.status === 'verification' ? unfinished : signedOut}</section>}
      {isIn && status === 'error' && error && <Failure title={failed} error={error} retry={refresh.run} />}
      {isIn && !user && status !== 'error' && (
        <section className="keybay-card" aria-label="Profile">
          <Loading what="your account" widths={[18, 26, 22]} />
        </section>
      )}
      {isIn && user && (
        <>
          <ProfileCard />
          <SecurityPanel level="advanced" onAdd={open} onDeleted={leave} slots={slots} />
        </>
      )}
    </Page>
  )
}
