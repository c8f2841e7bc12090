import type { User } from '@keybay/account'
import { useUser } from '@keybay/account/react'
import { type ReactElement, useState } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { EditText } from '../design/edit-text.js'
import { formatMoment } from '../design/format.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { Problem } from './problem.js'
import { useChange } from './use-change.js'

/** Maximum length that the API accepts, in characters. */
const MAX_NAME_LENGTH = 32

function checkName(name: string): string | undefined {
  return /^[\w.-]{3,32}$/.test(name)
    ? undefined
    : 'Take 3 to 32 letters without accents, digits, dots, dashes or underscores, and no blanks.'
}

export function ProfileCard({ user }: { readonly user: User }): ReactElement {
  const [isEditing, edit] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(isEditing)
  const save = useChange(useUser().update, 'Username saved', () => edit(false))
  return (
    <section className="card" aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <dl className="facts">
        <div>
          <dt>Username</dt>
          <dd>
            {isEditing ? (
              <EditText
                label="Username"
                value={user.username ?? ''}
                longest={MAX_NAME_LENGTH}
                busy={save.busy}
                check={checkName}
                save={username => save.run({ username })}
                cancel={() => {
                  save.reset()
                  edit(false)
                }}
              />
            ) : (
              <span className="row row-apart">
                <span>{user.username ?? <span className="soft">None yet</span>}</span>
                <button
                  ref={button}
                  type="button"
                  className="button button-small"
                  aria-label={user.username === null ? 'Choose a username' : 'Change username'}
                  onClick={() => edit(true)}
                >
                  {user.username === null ? 'Choose' : 'Change'}
                </button>
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>User id</dt>
          <dd className="user-id">
            <span className="mono small break">{user.id}</span>
            <CopyButton text={user.id} label="Copy user id" />
          </dd>
        </div>
        <div>
          <dt>Account since</dt>
          <dd>{formatMoment(user.createdAt)}</dd>
        </div>
        <div>
          <dt>Last sign-in</dt>
          <dd>{formatMoment(user.lastSignInAt)}</dd>
        </div>
      </dl>
      <Problem title="The username was not saved." error={save.error} />
    </section>
  )
}
