import {
  Button,
  Card,
  CopyButton,
  EditText,
  Fact,
  Problem,
  profileMessages,
  useChange,
  useDates,
  useLostFocus,
  useMessages,
  useRoot,
} from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { useUser } from '../react/user.js'
import type { User } from '../user.js'
import { WithUser } from './with-user.js'

/** Maximum length that the API accepts, in characters. */
const MAX_NAME_LENGTH = 32

function Username({ user: { username } }: { readonly user: User }) {
  const { text } = useMessages(profileMessages)
  const [isEditing, edit] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(isEditing)
  const save = useChange(useUser().update, text('saved'), () => edit(false))
  const cancel = () => {
    save.reset()
    edit(false)
  }
  return (
    <>
      {isEditing ? (
        <EditText
          label={text('username')}
          value={username ?? ''}
          longest={MAX_NAME_LENGTH}
          busy={save.busy}
          check={name => (/^[\w.-]{3,32}$/.test(name) ? undefined : text('rule'))}
          save={name => save.run({ username: name })}
          cancel={cancel}
        />
      ) : (
        <span className="keybay-line keybay-apart">
          {username === null ? <span className="keybay-soft">{text('none')}</span> : <bdi>{username}</bdi>}
          <Button
            small
            text={text(username === null ? 'choose' : 'change')}
            ref={button}
            aria-label={text(username === null ? 'chooseName' : 'changeName')}
            onClick={() => edit(true)}
          />
        </span>
      )}
      <Problem title={text('saveFailed')} error={save.error} />
    </>
  )
}

function Facts({ user }: { readonly user: User }) {
  const { text } = useMessages(profileMessages)
  const { moment } = useDates()
  return (
    <dl className="keybay-facts">
      <Fact name={text('username')}>
        <Username user={user} />
      </Fact>
      <Fact name={text('userId')}>
        <span className="keybay-line keybay-apart keybay-nowrap">
          <bdi className="keybay-mono keybay-small keybay-break">{user.id}</bdi>
          <CopyButton text={user.id} label={text('copyId')} />
        </span>
      </Fact>
      <Fact name={text('since')}>{moment(user.createdAt)}</Fact>
      <Fact name={text('lastSignIn')}>{moment(user.lastSignInAt)}</Fact>
    </dl>
  )
}

export function ProfileCardView(): ReactElement {
  const { text } = useMessages(profileMessages)
  const root = useRoot()
  return (
    <div {...root}>
      <Card title={text('profile')}>
        <WithUser>{user => <Facts user={user} />}</WithUser>
      </Card>
    </div>
  )
}
