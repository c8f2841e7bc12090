import { shorten } from '@keybay/kernel/spec'
import { useAction } from '@keybay/react'
import type { ShareSet, WaasWallet } from '@keybay/waas'
import { useDelegates } from '@keybay/waas/react'
import { useCallback } from 'react'
import { useLoaded } from '../../chain/use-loaded.js'
import {
  Button,
  Card,
  ConfirmButton,
  Empty,
  formatMoment,
  Glyph,
  Loading,
  Notice,
  Problem,
  useChange,
  useLostFocus,
} from '../../design/index.js'
import { Link } from '../../routing/link.js'
import { WalletPage } from '../own-wallet.js'
import { getPeriod, inWords, sol } from './rules.js'
import { ScheduleCard } from './schedule-card.js'
import type { Payment, ScheduleState } from './scheduler.js'
import { forgetSchedule, readSchedule } from './scheduler.js'

function Delegates({ wallet }: { readonly wallet: WaasWallet }) {
  const delegates = wallet.sets.filter(({ kind }) => kind === 'delegate')
  // Active delegates first, newest first within each group.
  const sorted = delegates.toSorted((a, b) => Number(a.revoked) - Number(b.revoked) || b.createdAt - a.createdAt)
  if (sorted.length > 0) return sorted.map(set => <DelegateItem key={set.setId} wallet={wallet} set={set} />)
  return (
    <section className="keybay-card">
      <Empty icon="user" title="Only you can sign">
        A server that you let sign with this wallet is listed here, with its rules.
      </Empty>
    </section>
  )
}

/** Servers that sign without the user, and the transfers made by this app's own server. */
export function DelegatesPage({ address }: { readonly address: string }) {
  const lead = 'Servers that can sign without asking you, and their rules.'
  return (
    <WalletPage title="Delegates" address={address} lead={lead} back="Wallet security">
      {wallet => (
        <>
          <Delegates wallet={wallet} />
          {wallet.here && <ScheduleCard wallet={wallet} />}
        </>
      )}
    </WalletPage>
  )
}

/** Interval at which the page polls the progress, in ms. */
const LOOK_MS = 1000

function DelegateItem({ wallet, set }: { readonly wallet: WaasWallet; readonly set: ShareSet }) {
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
  return (
    <Card
      title={name}
      heading={heading}
      side={
        <span className={revoked ? 'keybay-tag keybay-tag-bad' : 'keybay-tag keybay-tag-good'}>
          {revoked ? 'Revoked' : 'May sign'}
        </span>
      }
      className="delegate"
    >
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
        <Notice kind="bad" title="Its progress could not be loaded.">
          {schedule.error?.message}
        </Notice>
      )}
      {schedule.data && <ScheduleProgress schedule={schedule.data} revoked={revoked} />}
      {schedule.status === 'ready' && !schedule.data && (
        <p className="soft small">This app’s scheduler has nothing planned by it.</p>
      )}
      <div className="row">
        {!revoked && here && (
          <ConfirmButton
            text="Revoke"
            label={`Revoke ${name} ${setId.slice(0, 8)}`}
            question="It can never sign for this wallet again."
            busy={revoke.busy}
            confirm={() => revoke.run(setId)}
          />
        )}
        {revoked && schedule.data && (
          <Button
            small
            text="Forget its payments"
            busy={forget.busy}
            aria-label={`Forget its payments: ${name} ${setId.slice(0, 8)}`}
            onClick={() => forget.run()}
          />
        )}
      </div>
      <Problem title="It was not revoked." error={revoke.error} />
      <Problem title="It was not forgotten." error={forget.error} />
    </Card>
  )
}

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
  unauthorized: 'The service no longer knows this server. Schedule it again once the server is back.',
}

const REVOKED = { code: 'set_revoked', message: '' }

function PaymentRow({ payment }: { readonly payment: Payment }) {
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
            <Link to={`/tx/${signature}`} aria-label={`Look at it in the explorer: ${shorten(signature)}`}>
              Look at it
            </Link>
          </>
        )}
      </span>
    </li>
  )
}

/** Progress of a schedule: each payment, and the next one. `revoked` ends it even if the server does not know yet. */
function ScheduleProgress({ schedule, revoked }: { readonly schedule: ScheduleState; readonly revoked: boolean }) {
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
