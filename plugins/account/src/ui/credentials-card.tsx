import { useAction, useConnectors, useKeybay } from '@keybay/react'
import {
  Button,
  Card,
  ConfirmButton,
  EditText,
  Glyph,
  Icon,
  Item,
  Problem,
  securityMessages,
  useChange,
  useDates,
  useLostFocus,
  useMessages,
} from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import type { CallOptions } from '../api.js'
import { useCredentials } from '../react/credentials.js'
import type { User, UserCredential } from '../user.js'
import { credentialName, METHOD_GLYPHS, methodKey, signInMethods, userName } from './names.js'
import type { SignInOffer } from './sign-in-dialog.js'

/** The part of `@keybay/passkey` that the cards use; that plugin is built on this one. */
interface WithPasskeys {
  readonly passkey: { supported(): boolean; remove(id: string, options?: CallOptions): Promise<void> }
}

function hasPasskeys(keybay: object): keybay is WithPasskeys {
  return 'passkey' in keybay
}

const OFFERS = ['email', 'phone', 'wallet', 'social'] as const

/** Lists all sign-in methods except passkeys, which have their own card. */
interface CredentialsCardProps {
  readonly user: User
  /** Opens the sign-in dialog. */
  add(offer: SignInOffer): void
}
export function CredentialsCard({ user, add }: CredentialsCardProps): ReactElement {
  const { text } = useMessages(securityMessages)
  const ways = signInMethods(user)
  const credentials = ways.filter(({ method }) => method !== 'passkey')
  const heading = useLostFocus<HTMLHeadingElement>(credentials.length)
  return (
    <Card title={text('ways')} heading={heading}>
      {credentials.length > 0 ? (
        <ul className="keybay-items" aria-label={text('ways')}>
          {credentials.map(credential => (
            <CredentialRow key={credential.id} user={user} credential={credential} />
          ))}
        </ul>
      ) : (
        <p className="keybay-soft">{text('onlyPasskey')}</p>
      )}
      {ways.length === 1 && (
        <p id={ONLY_WAY} className="keybay-soft keybay-small">
          {text('onlyWay')}
        </p>
      )}
      <div className="keybay-line">
        {OFFERS.map(offer => (
          <Button icon="plus" text={text(`add_${offer}`)} key={offer} onClick={() => add(offer)} />
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
  const keybay = useKeybay()
  const { text, rich } = useMessages(securityMessages)
  const { moment } = useDates()
  const { unlink, rename: give } = useCredentials()
  const { id, method, createdAt, lastUsedAt, walletName } = credential
  const social = useConnectors({ method: 'oauth' }).find(({ id }) => id === `social:${credential.provider}`)
  const [isEditing, edit] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(isEditing)
  const isPasskey = method === 'passkey'
  // Also stops the browser from offering the passkey, where the browser supports that.
  const removePasskey = useAction(async (signal, passkeyId: string) => {
    if (hasPasskeys(keybay)) await keybay.passkey.remove(passkeyId, { signal })
  })
  const remove = useChange(isPasskey ? removePasskey : unlink, text(isPasskey ? 'passkeyRemoved' : 'unlinked'))
  const rename = useChange(give, text('renamed'), () => edit(false))
  const name = credentialName(credential)
  const customName = isPasskey ? name : walletName
  const mark = social ? (
    <span className="keybay-social-mark">
      <Icon connector={social} size={20} />
    </span>
  ) : (
    <Glyph name={METHOD_GLYPHS[method]} size={24} />
  )
  const stop = () => {
    rename.reset()
    edit(false)
  }
  const actions = (
    <>
      {(isPasskey || method === 'blockchain') && !isEditing && (
        <Button
          small
          text={text('rename')}
          ref={button}
          aria-label={text('renameOf', { name })}
          onClick={() => edit(true)}
        />
      )}
      <ConfirmButton
        text={text(isPasskey ? 'remove' : 'unlink')}
        label={text(isPasskey ? 'removeOf' : 'unlinkOf', { name })}
        question={text('removeAsk', { name })}
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
          label={text('nameOf', { name })}
          value={customName ?? ''}
          longest={MAX_NAME_LENGTH}
          busy={rename.busy}
          save={next => rename.run(id, next)}
          cancel={stop}
        />
      ) : (
        <p className="keybay-item-title">
          <bdi className="keybay-break" title={credential.address}>
            {name}
          </bdi>{' '}
          {!isPasskey && <span className="keybay-tag">{customName ?? social?.name ?? text(methodKey(method))}</span>}
        </p>
      )}
      <p className="keybay-soft keybay-small">{rich('added', { date: moment(createdAt), used: moment(lastUsedAt) })}</p>
      <Problem
        title={isPasskey ? text('passkeyNotChanged') : text('notChanged', { name })}
        error={remove.error ?? rename.error}
      />
    </Item>
  )
}

export function PasskeysCard({ user }: { readonly user: User }): ReactElement {
  const keybay = useKeybay()
  const { text } = useMessages(securityMessages)
  const passkeys = user.credentials.filter(({ method }) => method === 'passkey')
  const heading = useLostFocus<HTMLHeadingElement>(passkeys.length)
  const { busy, error, run } = useChange(useCredentials().link, text('passkeyAdded'))
  const add = () => run('passkey', { userName: userName(user) })
  return (
    <Card title={text('passkeys')} heading={heading}>
      {passkeys.length > 0 ? (
        <ul className="keybay-items" aria-label={text('passkeys')}>
          {passkeys.map(credential => (
            <CredentialRow key={credential.id} user={user} credential={credential} />
          ))}
        </ul>
      ) : (
        <p className="keybay-soft">{text('passkeysNone')}</p>
      )}
      {hasPasskeys(keybay) && keybay.passkey.supported() ? (
        <div className="keybay-line">
          <Button icon="plus" text={text(busy ? 'followBrowser' : 'addPasskey')} busy={busy} onClick={add} />
        </div>
      ) : (
        <p className="keybay-soft keybay-small">{text('noPasskeys')}</p>
      )}
      <Problem title={text('passkeyFailed')} error={error} />
    </Card>
  )
}
