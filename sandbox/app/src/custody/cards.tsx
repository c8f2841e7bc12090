/** Passkeys and activity of the custody wallet, which the custody service returns only with a stamp. */
import type { CustodyActivity } from '@keybay/turnkey'
import { useTurnkeyActivities, useTurnkeySession, useTurnkeyUser } from '@keybay/turnkey/react'
import { useEffect, useRef, useState } from 'react'
import {
  Button,
  Card,
  formatMoment,
  Glyph,
  Item,
  LineForm,
  Loading,
  Offer,
  Problem,
  useChange,
} from '../design/index.js'

/** Loads while the session key can sign without the user, and when it can again. @param load stable */
function useWhenOpen(load: () => void): void {
  const isOpen = useTurnkeySession().state?.status === 'active'
  useEffect(() => {
    if (isOpen) load()
  }, [isOpen, load])
}

function AddPasskey({ add }: { readonly add: ReturnType<typeof useTurnkeyUser>['addPasskey'] }) {
  const [round, setRound] = useState(0)
  const { busy, error, run } = useChange(add, 'Passkey added', () => setRound(round + 1))
  return (
    <>
      <LineForm
        key={round}
        label="Name of the new passkey"
        input={{ maxLength: 64, readOnly: false }}
        icon="plus"
        action={busy ? 'Confirm with your passkey…' : 'Add a passkey'}
        busy={busy}
        submit={name => (name ? void run(name) : 'Give it a name that you will know it by, for example “Phone”.')}
      >
        <p className="soft small">Create the new passkey, then confirm with a passkey you already have.</p>
      </LineForm>
      <Problem title="No passkey was added." error={error} />
    </>
  )
}

export function PasskeysCard() {
  const { user, load, addPasskey } = useTurnkeyUser()
  const { busy, error, run } = useChange(load, undefined)
  useWhenOpen(load.run)
  return (
    <Card title="Passkeys">
      {user && (
        <ul className="keybay-items" aria-label="Passkeys">
          {user.passkeys.map(({ id, name }) => (
            <li key={id} className="keybay-item">
              <Glyph name="key" size={24} />
              <p className="keybay-item-text keybay-item-title break">{name}</p>
            </li>
          ))}
        </ul>
      )}
      {user?.passkeys.length === 1 && (
        <p className="soft small">With a second one, on another device, you need no recovery when you lose this.</p>
      )}
      {!user && busy && <Loading what="your passkeys" widths={[24]} />}
      {!user && !busy && (
        <Offer says="Custody shows them only to you.">
          <Button small text="Show passkeys" onClick={() => run()} />
        </Offer>
      )}
      <Problem title="Your passkeys could not be loaded." error={error} />
      <AddPasskey add={addPasskey} />
    </Card>
  )
}

/** `ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2` → `Sign raw payload` */
function readable(name: string, prefix: string): string {
  const words = name
    .replace(prefix, '')
    .replace(/_V\d+$/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
const tags: Readonly<Record<string, string>> = {
  ACTIVITY_STATUS_COMPLETED: 'keybay-tag keybay-tag-good',
  ACTIVITY_STATUS_FAILED: 'keybay-tag keybay-tag-bad',
  ACTIVITY_STATUS_REJECTED: 'keybay-tag keybay-tag-bad',
}

function ActivityRow({ activity: { type, status, createdAt } }: { readonly activity: CustodyActivity }) {
  return (
    <Item mark={<Glyph name="sign" size={24} />}>
      <p className="keybay-item-title row">
        {readable(type, 'ACTIVITY_TYPE_')}
        <span className={tags[status] ?? 'keybay-tag'}>{readable(status, 'ACTIVITY_STATUS_')}</span>
      </p>
      <p className="soft small">{formatMoment(createdAt)}</p>
    </Item>
  )
}

/** Lists every request made to custody on the user's behalf, from custody's own records. */
export function ActivityCard() {
  const activities = useTurnkeyActivities()
  const { busy, error, run } = useChange(activities, undefined)
  useWhenOpen(activities.run)
  /** Last list, shown while it reloads. */
  const last = useRef<readonly CustodyActivity[]>(undefined)
  if (activities.data) last.current = activities.data
  const list = last.current
  const verb = list ? 'Refresh' : 'Show'
  const button = <Button small text={verb} busy={busy} aria-label={`${verb} activity`} onClick={() => run()} />
  return (
    <Card title="Activity" side={button}>
      {!list && busy && <Loading what="the activity" widths={[24]} />}
      {!list && !busy && <p className="soft small">All requests to custody in your name.</p>}
      {list?.length === 0 && <p className="soft">No requests yet.</p>}
      {list && list.length > 0 && (
        <ul className="keybay-items" aria-label="Activity">
          {list.map(activity => (
            <ActivityRow key={activity.id} activity={activity} />
          ))}
        </ul>
      )}
      <Problem title="The activity could not be loaded." error={error} />
    </Card>
  )
}
