// if account
import type { User } from '@keybay/account'
import { useSignIn, useUser } from '@keybay/account/react'
import { useAction, useConnectors, useKeybay } from '@keybay/react'
import { AddPasskey } from './add-passkey' // if passkey

/** Signs the user in, and shows who is signed in. */
export function Profile() {
  const { user } = useUser()
  return (
    <section>
      <h2>Account</h2>
      {user ? <SignedIn user={user} /> : <SignIn />}
    </section>
  )
}

function SignIn() {
  const connectors = useConnectors({ readiness: 'ready' })
  const signIn = useSignIn()
  return (
    <>
      {connectors
        // An embedded wallet belongs to a user who is signed in.
        .filter(({ id }) => id !== 'waas')
        .map(({ id, name }) => (
          <button type="button" key={id} disabled={signIn.status === 'pending'} onClick={() => signIn.run(id)}>
            Sign in: {name}
          </button>
        ))}
      <p role="alert">{signIn.error?.message}</p>
    </>
  )
}

/** Returns what the user knows the account by. */
function getName({ email, username, credentials: [first], id }: User): string {
  return email ?? username ?? first?.email ?? first?.address ?? id
}

function SignedIn({ user }: { readonly user: User }) {
  const { account } = useKeybay()
  const signOut = useAction(() => account.signOut())
  return (
    <>
      <p>Signed in as {getName(user)}.</p>
      <AddPasskey /* if passkey */ />
      <button type="button" onClick={() => signOut.run()}>
        Sign out
      </button>
      <p role="alert">{signOut.error?.message}</p>
    </>
  )
}
