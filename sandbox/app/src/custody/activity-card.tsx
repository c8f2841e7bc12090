import type { CustodyActivity } from '@keybay/turnkey'
import { useTurnkeyActivities } from '@keybay/turnkey/react'
import { type ReactElement, useRef } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Loading, Skeleton } from '../design/feedback.js'
import { formatMoment } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { useWhenOpen } from './use-when-open.js'

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
  ACTIVITY_STATUS_COMPLETED: 'tag tag-good',
  ACTIVITY_STATUS_FAILED: 'tag tag-bad',
  ACTIVITY_STATUS_REJECTED: 'tag tag-bad',
}

function ActivityRow({ activity: { type, status, createdAt } }: { readonly activity: CustodyActivity }): ReactElement {
  return (
    <li className="item">
      <Glyph name="sign" size={24} />
      <div className="item-text">
        <p className="item-title row">
          {readable(type, 'ACTIVITY_TYPE_')}
          <span className={tags[status] ?? 'tag'}>{readable(status, 'ACTIVITY_STATUS_')}</span>
        </p>
        <p className="soft small">{formatMoment(createdAt)}</p>
      </div>
    </li>
  )
}

/** Lists every request made to custody on the user's behalf, from custody's own records. */
export function ActivityCard(): ReactElement {
  const activities = useTurnkeyActivities()
  const load = useChange(activities, undefined)
  useWhenOpen(activities.run)
  /** Last list, shown while it reloads. */
  const last = useRef<readonly CustodyActivity[]>(undefined)
  if (activities.data) last.current = activities.data
  const list = last.current
  return (
    <section className="card" aria-labelledby="custody-activity">
      <div className="card-head">
        <h2 id="custody-activity">Activity</h2>
        <button
          type="button"
          className="button button-small"
          aria-disabled={load.busy}
          aria-label={list ? 'Refresh activity' : 'Show activity'}
          onClick={() => load.run()}
        >
          {list ? 'Refresh' : 'Show'}
        </button>
      </div>
      {!list && load.busy && (
        <p>
          <Skeleton width={24} />
          <Loading what="what was done" />
        </p>
      )}
      {!list && !load.busy && <p className="soft small">All that was asked of custody in your name.</p>}
      {list?.length === 0 && <p className="soft">Nothing was asked of it yet.</p>}
      {list && list.length > 0 && (
        <ul className="items" aria-label="Activity">
          {list.map(activity => (
            <ActivityRow key={activity.id} activity={activity} />
          ))}
        </ul>
      )}
      <Problem title="The activity could not be loaded." error={load.error} />
    </section>
  )
}
