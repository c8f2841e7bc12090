import type { ReactElement } from 'react'
import { Notice } from '../../design/feedback.js'
import { formatMoment, shorten } from '../../design/format.js'
import { Glyph } from '../../design/icons.js'
import { Link } from '../../routing/link.js'
import { getPeriod, sol } from './rules.js'
import type { Payment, ScheduleState } from './scheduler.js'

const says: { readonly [S in Payment['state']]: string } = {
  sent: 'On its way',
  paid: 'Paid',
  failed: 'Not paid',
  missed: 'Missed: the scheduler was away',
}
/** Reasons why a schedule ended early, with what to do. */
const ended: Readonly<Record<string, string>> = {
  set_revoked: 'You revoked it. The service no longer signs with it, and no further payment can be made.',
  policy_refused: 'The service refused a payment because it was not what you had agreed to. Nothing was paid by it.',
  unauthorized: 'The service no longer knows this server. Schedule it anew once it is back.',
}

const REVOKED = { code: 'set_revoked', message: '' }

function PaymentRow({ payment }: { readonly payment: Payment }): ReactElement {
  const { dueAt, state, signature, error } = payment
  return (
    <li className="row row-apart small">
      <span>
        <Glyph name={state === 'paid' ? 'check' : state === 'sent' ? 'send' : 'alert'} size={16} /> {says[state]}
        {error !== undefined && state !== 'paid' && `: ${error}`}
      </span>
      <span className="soft">
        {formatMoment(dueAt)}
        {signature !== undefined && state === 'paid' && (
          <>
            {' · '}
            <Link to={`/tx/${signature}`} aria-label={`Look at it in the explorer: ${shorten(signature, 6)}`}>
              Look at it
            </Link>
          </>
        )}
      </span>
    </li>
  )
}

/** Progress of a schedule: each payment, and the next one. `revoked` ends it even if the server does not know yet. */
export function ScheduleProgress({
  schedule,
  revoked,
}: {
  readonly schedule: ScheduleState
  readonly revoked: boolean
}): ReactElement {
  const { to, lamports, every, times, payments, nextAt, trouble } = schedule
  const stopped = schedule.stopped ?? (revoked && schedule.status === 'active' ? REVOKED : undefined)
  const status = stopped ? 'stopped' : schedule.status
  const paid = payments.filter(({ state }) => state === 'paid').length
  return (
    <div className="delegate-list">
      <p>
        {sol(lamports)} to <span className="mono">{to}</span> {getPeriod(every)}
      </p>
      <p role="status">
        {paid} of {times} paid
        {status === 'done' && '. That was all of it.'}
        {status === 'active' && nextAt !== undefined && `. The next one: ${formatMoment(nextAt)}.`}
      </p>
      {payments.length > 0 && (
        <ol className="delegate-list" aria-label="Payments">
          {payments.map(payment => (
            <PaymentRow key={payment.dueAt} payment={payment} />
          ))}
        </ol>
      )}
      {stopped && (
        <Notice kind="warn" title="It has stopped.">
          {ended[stopped.code] ?? stopped.message}
        </Notice>
      )}
      {!stopped && trouble !== undefined && (
        <Notice kind="warn" title="The scheduler tries again.">
          {trouble}
        </Notice>
      )}
    </div>
  )
}
