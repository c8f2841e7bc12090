// if account
import type { User } from '@keybay/account'
import { useUser } from '@keybay/account/react'
import { SignInDialog, type SignInOffer } from '@keybay/account/ui'
import { useAction, useKeybay } from '@keybay/react'
import { useState } from 'react'
import { AddPasskey } from './add-passkey' // if passkey

/** Signs the user in, and shows who is signed in. The dialog also asks for codes and second factors. */
export function Profile() {
  const { user } = useUser()
  const [offer, setOffer] = useState<SignInOffer>()
  return (
    <section>
      <h2>Account</h2>
      {user ? <SignedIn user={user} /> : <SignIn open={() => setOffer('all')} />}
      <SignInDialog offer={offer} onClose={() => setOffer(undefined)} />
    </section>
  )
}

function SignIn({ open }: { readonly open: () => void }) {
  return (
    <button type="button" onClick={open}>
      Sign in
    </button>
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
