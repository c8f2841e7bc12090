import { useAction } from '@keybay/react'
import type { ShareSet, WaasWallet } from '@keybay/waas'
import { useDelegates } from '@keybay/waas/react'
import { type ReactElement, useCallback } from 'react'
import { Problem } from '../../account/problem.js'
import { useChange } from '../../account/use-change.js'
import { useLoaded } from '../../chain/use-loaded.js'
import { ConfirmButton } from '../../design/confirm-button.js'
import { Loading, Notice } from '../../design/feedback.js'
import { formatMoment } from '../../design/format.js'
import { useLostFocus } from '../../design/use-lost-focus.js'
import { inWords } from './rules.js'
import { ScheduleProgress } from './schedule-progress.js'
import { forgetSchedule, readSchedule } from './scheduler.js'

/** Interval at which the page polls the progress, in ms. */
const LOOK_MS = 1000

/** Server that signs without the user: its rules, its progress, and a button to revoke it. */
export function DelegateItem({ wallet, set }: { readonly wallet: WaasWallet; readonly set: ShareSet }): ReactElement {
  const { accountAddress, here } = wallet
  const { setId, name = 'A server', createdAt, revoked, policy } = set
  const load = useCallback((signal: AbortSignal) => readSchedule(setId, signal), [setId])
  const schedule = useLoaded(load, LOOK_MS)
  const revoke = useChange(useDelegates(accountAddress).revoke, 'Revoked: it can never sign again')
  const forget = useChange(
    useAction((signal: AbortSignal) => forgetSchedule(setId, signal)),
    'Forgotten',
    schedule.reload,
  )
  const heading = useLostFocus<HTMLHeadingElement>(`${revoked} ${schedule.data !== undefined}`)
  const titleId = `delegate-${setId}`
  return (
    <section className="card delegate" aria-labelledby={titleId}>
      <div className="card-head">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {name}
        </h2>
        <span className={revoked ? 'tag tag-bad' : 'tag tag-good'}>{revoked ? 'Revoked' : 'May sign'}</span>
      </div>
      <p className="soft small">
        Since {formatMoment(createdAt)} · set <span className="mono">{setId.slice(0, 8)}</span>
      </p>
      {policy && !revoked && (
        <ul className="delegate-list small" aria-label="Rules">
          {inWords(policy).map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {schedule.status === 'loading' && <Loading what="its payments" />}
      {schedule.status === 'failed' && (
        <Notice kind="bad" title="How far it is could not be asked.">
          {schedule.error.message}
        </Notice>
      )}
      {schedule.data && <ScheduleProgress schedule={schedule.data} revoked={revoked} />}
      {schedule.status === 'ready' && !schedule.data && (
        <p className="soft small">This app’s scheduler has nothing planned by it.</p>
      )}
      <div className="row">
        {!revoked && here && (
          <ConfirmButton
            label={`Revoke ${name} ${setId.slice(0, 8)}`}
            question="It can never sign for this wallet again."
            busy={revoke.busy}
            confirm={() => revoke.run(setId)}
          >
            Revoke
          </ConfirmButton>
        )}
        {revoked && schedule.data && (
          <button
            type="button"
            className="button button-small"
            aria-disabled={forget.busy}
            aria-label={`Forget its payments: ${name} ${setId.slice(0, 8)}`}
            onClick={() => forget.run()}
          >
            Forget its payments
          </button>
        )}
      </div>
      <Problem title="It was not revoked." error={revoke.error} />
      <Problem title="It was not forgotten." error={forget.error} />
    </section>
  )
}
