import { isKeybayError } from '@keybay/kernel'
import { useAction } from '@keybay/react'
import type { WaasWallet } from '@keybay/waas'
import { useDelegates, useEmbeddedWallets } from '@keybay/waas/react'
import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { Problem } from '../../account/problem.js'
import { useChange } from '../../account/use-change.js'
import { useLoaded } from '../../chain/use-loaded.js'
import { Loading, Notice, Skeleton } from '../../design/feedback.js'
import { Field } from '../../design/field.js'
import { amountProblem, destinationProblem, readAmount } from '../../send/validate.js'
import { getPeriod, getPolicy, type Plan, periods, sol } from './rules.js'
import { bringShare, readScheduler, type SchedulerIdentity, silent } from './scheduler.js'

const MAX_TIMES = 365

function timesProblem(text: string): string | undefined {
  const times = Number(text)
  return Number.isInteger(times) && times >= 1 && times <= MAX_TIMES
    ? undefined
    : `Enter a whole number from 1 to ${MAX_TIMES}.`
}

/** Requests consent in the wallet's own window, then sends the scheduler its share. */
function useSchedule({ accountAddress }: WaasWallet, { name, publicKey }: SchedulerIdentity) {
  const { delegate } = useDelegates(accountAddress)
  const { refresh } = useEmbeddedWallets()
  return useAction(async (signal: AbortSignal, plan: Plan) => {
    const policy = getPolicy(plan, Date.now())
    const { sealedShare } = await delegate.runAsync({ delegatePublicKey: publicKey, delegateName: name, policy })
    try {
      await bringShare({ ...plan, sealedShare }, signal)
    } finally {
      await refresh.runAsync()
    }
  })
}

function ScheduleForm({
  wallet,
  scheduler,
}: {
  readonly wallet: WaasWallet
  readonly scheduler: SchedulerIdentity
}): ReactElement {
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [every, setEvery] = useState(periods[1]?.seconds ?? 0)
  const [times, setTimes] = useState('3')
  const [touched, touch] = useState(false)
  const id = useId()
  const change = useChange(useSchedule(wallet, scheduler), 'Scheduled: the first payment is on its way', () => {
    setTo('')
    setAmount('')
    touch(false)
  })

  const destination = to.trim()
  const lamports = readAmount(amount)
  const problems = { to: destinationProblem(destination), amount: amountProblem(amount), times: timesProblem(times) }
  const wrong = (['to', 'amount', 'times'] as const).find(name => problems[name] !== undefined)
  const plan: Plan | undefined =
    wrong === undefined && lamports !== undefined
      ? { to: destination, lamports, every, times: Number(times) }
      : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    touch(true)
    if (plan) change.run(plan)
    else document.getElementById(`${id}-${wrong}`)?.focus()
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field id={`${id}-to`} label="To" error={touched ? problems.to : undefined}>
        {aria => (
          <input
            {...aria}
            className="input input-mono"
            autoComplete="off"
            spellCheck={false}
            placeholder="Solana address"
            value={to}
            readOnly={change.busy}
            onChange={event => setTo(event.target.value)}
          />
        )}
      </Field>
      <Field id={`${id}-amount`} label="Amount of each" error={touched ? problems.amount : undefined}>
        {aria => (
          <div className="input-unit">
            <input
              {...aria}
              className="input number"
              inputMode="decimal"
              autoComplete="off"
              placeholder="0.1"
              value={amount}
              readOnly={change.busy}
              onChange={event => setAmount(event.target.value)}
            />
            <div>SOL</div>
          </div>
        )}
      </Field>
      <Field id={`${id}-every`} label="How often" error={undefined}>
        {aria => (
          <select
            {...aria}
            className="select"
            value={every}
            disabled={change.busy}
            onChange={event => setEvery(Number(event.target.value))}
          >
            {periods.map(({ seconds, name }) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field id={`${id}-times`} label="How many times" error={touched ? problems.times : undefined}>
        {aria => (
          <input
            {...aria}
            className="input number"
            inputMode="numeric"
            autoComplete="off"
            value={times}
            readOnly={change.busy}
            onChange={event => setTimes(event.target.value)}
          />
        )}
      </Field>
      <p className="soft small" role="status">
        {plan
          ? `${plan.times === 1 ? 'One payment' : `${plan.times} payments, one ${getPeriod(every)}`}: ${sol(plan.lamports * BigInt(plan.times))} in all, and fees. The first one leaves at once.`
          : 'You see the rules in the wallet’s own window, and agree there.'}
      </p>
      <div className="row">
        <button type="submit" className="button button-primary" aria-disabled={change.busy}>
          {change.busy ? 'Scheduling …' : 'Schedule'}
        </button>
      </div>
      <Problem
        title={
          isKeybayError(change.error, silent) ? 'It is not known whether it was scheduled.' : 'Nothing was scheduled.'
        }
        error={change.error}
      />
    </form>
  )
}

/** Creates a schedule; only the primary device can issue a share. */
export function ScheduleCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const found = useLoaded(readScheduler)
  const ownsPrimary = wallet.sets.some(({ kind, here }) => kind === 'primary' && here)
  return (
    <section className="card" aria-labelledby="schedule">
      <h2 id="schedule">Schedule a transfer</h2>
      <p className="soft small">
        This app’s server pays for you, on the local chain, also while this page is closed. It gets a part of its own
        that signs this payment and nothing else.
      </p>
      {!ownsPrimary ? (
        <p className="soft">Only the first device can do this: this browser has a set of its own.</p>
      ) : found.status === 'ready' ? (
        <ScheduleForm wallet={wallet} scheduler={found.data} />
      ) : found.status === 'loading' ? (
        <>
          <Loading what="the scheduler" />
          <p>
            <Skeleton width={24} />
          </p>
        </>
      ) : (
        <Notice kind="bad" title="The scheduler does not answer.">
          <span>{found.error.message}</span>
          <button type="button" className="button button-small" onClick={found.reload}>
            Try again
          </button>
        </Notice>
      )}
    </section>
  )
}
