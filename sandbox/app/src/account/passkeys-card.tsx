import type { User } from '@keybay/account'
import { useCredentials } from '@keybay/account/react'
import { useKeybay } from '@keybay/react'
import type { ReactElement } from 'react'
import { Glyph } from '../design/icons.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { CredentialRow } from './credential-row.js'
import { userName } from './names.js'
import { Problem } from './problem.js'
import { useChange } from './use-change.js'

export function PasskeysCard({ user }: { readonly user: User }): ReactElement {
  const { passkey } = useKeybay()
  const passkeys = user.credentials.filter(({ method }) => method === 'passkey')
  const heading = useLostFocus<HTMLHeadingElement>(passkeys.length)
  const add = useChange(useCredentials().link, 'Passkey added')
  return (
    <section className="card" aria-labelledby="passkeys">
      <h2 id="passkeys" ref={heading} tabIndex={-1}>
        Passkeys
      </h2>
      {passkeys.length > 0 ? (
        <ul className="items" aria-label="Passkeys">
          {passkeys.map(credential => (
            <CredentialRow key={credential.id} user={user} credential={credential} />
          ))}
        </ul>
      ) : (
        <p className="soft">
          None yet. With a passkey you sign in by fingerprint, face or the lock of your device: nothing to remember,
          nothing to be stolen by a false page.
        </p>
      )}
      {passkey.supported() ? (
        <div className="row">
          <button
            type="button"
            className="button"
            aria-disabled={add.busy}
            onClick={() => add.run('passkey', { userName: userName(user) })}
          >
            <Glyph name="plus" size={18} />
            {add.busy ? 'Follow your browser …' : 'Add passkey'}
          </button>
        </div>
      ) : (
        <p className="soft small">This browser has no passkeys.</p>
      )}
      <Problem title="No passkey was added." error={add.error} />
    </section>
  )
}
