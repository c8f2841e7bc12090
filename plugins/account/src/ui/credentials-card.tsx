import type { User, UserCredential } from '@keybay/account'
import { useCredentials } from '@keybay/account/react'
import type { SignInOffer } from '@keybay/account/ui'
import { useAction, useConnectors, useKeybay } from '@keybay/react'
import { Icon } from '@keybay/react/ui'
import { useState } from 'react'
import {
  Button,
  Card,
  ConfirmButton,
  EditText,
  formatMoment,
  Glyph,
  Item,
  Problem,
  useChange,
  useLostFocus,
} from '../design/index.js'
import { useOpenSignIn } from '../sign-in/sign-in-provider.js'
import { credentialName, methods, signInMethods, userName } from './names.js'

const more: readonly { readonly offer: SignInOffer; readonly name: string }[] = [
  { offer: 'email', name: 'Add email' },
  { offer: 'phone', name: 'Add phone' },
  { offer: 'wallet', name: 'Add wallet' },
  { offer: 'social', name: 'Add social account' },
]

/** Lists all sign-in methods except passkeys, which have their own card. */
export function CredentialsCard({ user }: { readonly user: User }) {
  const open = useOpenSignIn()
  const ways = signInMethods(user)
  const credentials = ways.filter(({ method }) => method !== 'passkey')
  const heading = useLostFocus<HTMLHeadingElement>(credentials.length)
  return (
    <Card title="Ways to sign in" heading={heading}>
      {credentials.length > 0 ? (
        <ul className="keybay-items" aria-label="Ways to sign in">
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
          <Button icon="plus" text={name} key={offer} onClick={() => open(offer)} />
        ))}
      </div>
    </Card>
  )
}

/** ID of the card text that says why the last sign-in method cannot be removed. */
const ONLY_WAY = 'only-way'
/** Maximum length that the API accepts, in characters. */
const MAX_NAME_LENGTH = 64

function CredentialRow({ user, credential }: { readonly user: User; readonly credential: UserCredential }) {
  const { passkey } = useKeybay()
  const { unlink, rename: give } = useCredentials()
  const { id, method, createdAt, lastUsedAt, walletName } = credential
  const social = useConnectors({ method: 'oauth' }).find(({ id }) => id === `social:${credential.provider}`)
  const [isEditing, edit] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(isEditing)
  const isPasskey = method === 'passkey'
  // Also stops the browser from offering the passkey, where the browser supports that.
  const removePasskey = useAction((signal, passkeyId: string) => passkey.remove(passkeyId, { signal }))
  const remove = useChange(isPasskey ? removePasskey : unlink, isPasskey ? 'Passkey removed' : 'Unlinked')
  const rename = useChange(give, 'Renamed', () => edit(false))
  const name = credentialName(credential)
  const customName = isPasskey ? name : walletName
  const verb = isPasskey ? 'Remove' : 'Unlink'
  const mark = social ? (
    <span className="keybay-social-mark">
      <Icon connector={social} size={20} />
    </span>
  ) : (
    <Glyph name={methods[method].icon} size={24} />
  )
  const stop = () => {
    rename.reset()
    edit(false)
  }
  const actions = (
    <>
      {(isPasskey || method === 'blockchain') && !isEditing && (
        <Button small text="Rename" ref={button} aria-label={`Rename ${name}`} onClick={() => edit(true)} />
      )}
      <ConfirmButton
        text={verb}
        label={`${verb} ${name}`}
        question={`You will no longer sign in with ${name}.`}
        busy={remove.busy}
        refusedBy={signInMethods(user).length === 1 ? ONLY_WAY : undefined}
        confirm={() => remove.run(id)}
      />
    </>
  )
  return (
    <Item mark={mark} actions={actions}>
      {isEditing ? (
        <EditText
          label={`Name of ${name}`}
          value={customName ?? ''}
          longest={MAX_NAME_LENGTH}
          busy={rename.busy}
          save={next => rename.run(id, next)}
          cancel={stop}
        />
      ) : (
        <p className="keybay-item-title">
          <span className="break" title={credential.address}>
            {name}
          </span>{' '}
          {!isPasskey && <span className="keybay-tag">{customName ?? social?.name ?? methods[method].name}</span>}
        </p>
      )}
      <p className="soft small">
        Added {formatMoment(createdAt)} · last used {formatMoment(lastUsedAt)}
      </p>
      <Problem title={`${isPasskey ? 'The passkey' : name} was not changed.`} error={remove.error ?? rename.error} />
    </Item>
  )
}

export function PasskeysCard({ user }: { readonly user: User }) {
  const { passkey } = useKeybay()
  const passkeys = user.credentials.filter(({ method }) => method === 'passkey')
  const heading = useLostFocus<HTMLHeadingElement>(passkeys.length)
  const { busy, error, run } = useChange(useCredentials().link, 'Passkey added')
  const add = () => run('passkey', { userName: userName(user) })
  return (
    <Card title="Passkeys" heading={heading}>
      {passkeys.length > 0 ? (
        <ul className="keybay-items" aria-label="Passkeys">
          {passkeys.map(credential => (
            <CredentialRow key={credential.id} user={user} credential={credential} />
          ))}
        </ul>
      ) : (
        <p className="soft">
          None yet. With a passkey you sign in by fingerprint, face or the lock of your device. You need not remember
          it, and no false page can steal it.
        </p>
      )}
      {passkey.supported() ? (
        <div className="row">
          <Button icon="plus" text={busy ? 'Follow your browser …' : 'Add passkey'} busy={busy} onClick={add} />
        </div>
      ) : (
        <p className="soft small">This browser has no passkeys.</p>
      )}
      <Problem title="No passkey was added." error={error} />
    </Card>
  )
}
