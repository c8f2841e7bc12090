import type { User, UserCredential } from '@keybay/account'
import { useCredentials } from '@keybay/account/react'
import { useAction, useConnectors, useKeybay } from '@keybay/react'
import { Icon } from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { ConfirmButton } from '../design/confirm-button.js'
import { EditText } from '../design/edit-text.js'
import { formatMoment } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { credentialName, methods, signInMethods } from './names.js'
import { Problem } from './problem.js'
import { useChange } from './use-change.js'

/** ID of the card text that says why the last sign-in method cannot be removed. */
export const ONLY_WAY = 'only-way'
/** Maximum length that the API accepts, in characters. */
const MAX_NAME_LENGTH = 64

interface CredentialRowProps {
  readonly user: User
  readonly credential: UserCredential
}
/** Row of one sign-in method: its kind, when it was last used, its name, and a button to remove it. */
export function CredentialRow({ user, credential }: CredentialRowProps): ReactElement {
  const { passkey } = useKeybay()
  const { unlink, rename: give } = useCredentials()
  const { id, method, createdAt, lastUsedAt, walletName } = credential
  const social = useConnectors({ method: 'oauth' }).find(
    useConnector => useConnector.id === `social:${credential.provider}`,
  )
  const [isEditing, edit] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(isEditing)
  const isPasskey = method === 'passkey'
  // Also stops the browser from offering the passkey, where the browser supports that.
  const removePasskey = useAction((signal, passkeyId: string) => passkey.remove(passkeyId, { signal }))
  const remove = useChange(isPasskey ? removePasskey : unlink, isPasskey ? 'Passkey removed' : 'Unlinked')
  const rename = useChange(give, 'Renamed', () => edit(false))
  const name = credentialName(credential)
  const given = isPasskey ? name : walletName
  const verb = isPasskey ? 'Remove' : 'Unlink'
  return (
    <li className="item">
      {social ? (
        <span className="social-mark">
          <Icon connector={social} size={20} />
        </span>
      ) : (
        <Glyph name={methods[method].icon} size={24} />
      )}
      <div className="item-text">
        {isEditing ? (
          <EditText
            label={`Name of ${name}`}
            value={given ?? ''}
            longest={MAX_NAME_LENGTH}
            busy={rename.busy}
            save={next => rename.run(id, next)}
            cancel={() => {
              rename.reset()
              edit(false)
            }}
          />
        ) : (
          <p className="item-title">
            <span className="break" title={credential.address}>
              {name}
            </span>{' '}
            {!isPasskey && <span className="tag">{given ?? social?.name ?? methods[method].name}</span>}
          </p>
        )}
        <p className="soft small">
          Added {formatMoment(createdAt)} · last used {formatMoment(lastUsedAt)}
        </p>
        <Problem title={`${isPasskey ? 'The passkey' : name} was not changed.`} error={remove.error ?? rename.error} />
      </div>
      <div className="item-actions">
        {(isPasskey || method === 'blockchain') && !isEditing && (
          <button
            ref={button}
            type="button"
            className="button button-small"
            aria-label={`Rename ${name}`}
            onClick={() => edit(true)}
          >
            Rename
          </button>
        )}
        <ConfirmButton
          label={`${verb} ${name}`}
          question={`You will no longer sign in with ${name}.`}
          busy={remove.busy}
          refusedBy={signInMethods(user).length === 1 ? ONLY_WAY : undefined}
          confirm={() => remove.run(id)}
        >
          {verb}
        </ConfirmButton>
      </div>
    </li>
  )
}
