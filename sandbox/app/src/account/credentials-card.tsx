import type { User } from '@keybay/account'
import type { ReactElement } from 'react'
import { Glyph } from '../design/icons.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { type SignInOffer, useOpenSignIn } from '../sign-in/sign-in-provider.js'
import { CredentialRow, ONLY_WAY } from './credential-row.js'
import { signInMethods } from './names.js'

const more: readonly { readonly offer: SignInOffer; readonly name: string }[] = [
  { offer: 'email', name: 'Add email' },
  { offer: 'phone', name: 'Add phone' },
  { offer: 'wallet', name: 'Add wallet' },
  { offer: 'social', name: 'Add social account' },
]

/** Lists all sign-in methods except passkeys, which have their own card. */
export function CredentialsCard({ user }: { readonly user: User }): ReactElement {
  const open = useOpenSignIn()
  const ways = signInMethods(user)
  const credentials = ways.filter(({ method }) => method !== 'passkey')
  const heading = useLostFocus<HTMLHeadingElement>(credentials.length)
  return (
    <section className="card" aria-labelledby="credentials">
      <h2 id="credentials" ref={heading} tabIndex={-1}>
        Ways to sign in
      </h2>
      {credentials.length > 0 ? (
        <ul className="items" aria-label="Ways to sign in">
          {credentials.map(credential => (
            <CredentialRow key={credential.id} user={user} credential={credential} />
          ))}
        </ul>
      ) : (
        <p className="soft">You sign in with a passkey only. Add a second way, in case you lose your device.</p>
      )}
      {ways.length === 1 && (
        <p id={ONLY_WAY} className="soft small">
          This is your only way to sign in, so it cannot be removed. Add another one first.
        </p>
      )}
      <div className="row">
        {more.map(({ offer, name }) => (
          <button key={offer} type="button" className="button" onClick={() => open(offer)}>
            <Glyph name="plus" size={18} />
            {name}
          </button>
        ))}
      </div>
    </section>
  )
}
