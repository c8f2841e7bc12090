import { isKeybayError } from '@keybay/kernel'
import { useAction } from '@keybay/react'
import type { WaasWallet } from '@keybay/waas'
import { useDelegates, useEmbeddedWallets } from '@keybay/waas/react'
import { type FormEvent, useId, useState } from 'react'
import { useLoaded } from '../../chain/use-loaded.js'
import { Button, Card, Failure, Loading, Problem, SelectField, TextField, useChange } from '../../design/index.js'
import { amountProblem, destinationProblem, readAmount } from '../../send/validate.js'
import { ownsPrimary } from '../schemes.js'
import { getPeriod, getPolicy, type Plan, periods, sol } from './rules.js'
import { bringShare, readScheduler, type SchedulerIdentity, silent } from './scheduler.js'

const MAX_TIMES = 365

function timesProblem(text: string): string | undefined {
  const times = Number(text)
  return Number.isInteger(times) && times >= 1 && times <= MAX_TIMES
    ? undefined
    : `Enter a whole number from 1 to ${MAX_TIMES}.`
}

const EMPTY = { to: '', amount: '', times: '3' }
type Texts = typeof EMPTY
const NAMES = ['to', 'amount', 'times'] as const

function findProblems({ to, amount, times }: Texts): Readonly<Record<keyof Texts, string | undefined>> {
  return { to: destinationProblem(to.trim()), amount: amountProblem(amount), times: timesProblem(times) }
}

/** Requests consent in the wallet's own window, then sends the scheduler its share. */
function useSchedule({ accountAddress }: WaasWallet, { name, publicKey }: SchedulerIdentity) {
  const { delegate } = useDelegates(accountAddress)
  const { refresh } = useEmbeddedWallets()
  return useAction(async (signal: AbortSignal, plan: Plan) => {
    const policy = getPolicy(plan, Date.now())
    const { sealedShare } = await delegate.runAsync({ delegatePublicKey: publicKey, delegateName: name, policy })
    try {
      await bringShare(plan, sealedShare, signal)
    } finally {
      await refresh.runAsync()
    }
  })
}

function describe({ times, every, lamports }: Plan): string {
  const payments = times === 1 ? 'One payment' : `${times} payments, one ${getPeriod(every)}`
  return `${payments}: ${sol(lamports * BigInt(times))} in all, and fees. The first one leaves at once.`
}

function ScheduleForm({ wallet, scheduler }: { wallet: WaasWallet; scheduler: SchedulerIdentity }) {
  const [texts, setTexts] = useState(EMPTY)
  const [every, setEvery] = useState(periods[1]?.value ?? 0)
  const [touched, touch] = useState(false)
  const id = useId()
  const { busy, error, run } = useChange(
    useSchedule(wallet, scheduler),
    'Scheduled: the first payment is on its way',
    () => {
      setTexts({ ...EMPTY, times: texts.times })
      touch(false)
    },
  )
  const problems = findProblems(texts)
  const wrong = NAMES.find(name => problems[name] !== undefined)
  const lamports = readAmount(texts.amount)
  const plan: Plan | undefined =
    wrong === undefined && lamports !== undefined
      ? { to: texts.to.trim(), lamports, every, times: Number(texts.times) }
      : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    touch(true)
    if (plan) run(plan)
    else document.getElementById(`${id}-${wrong}`)?.focus()
  }
  const field = (name: keyof Texts) => ({
    id: `${id}-${name}`,
    value: texts[name],
    readOnly: busy,
    change: (text: string) => setTexts({ ...texts, [name]: text }),
    error: touched ? problems[name] : undefined,
  })
  const isUnknown = isKeybayError(error, silent)
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextField label="To" mono placeholder="Solana address" {...field('to')} />
      <TextField label="Amount of each" unit="SOL" placeholder="0.1" {...field('amount')} />
      <SelectField label="How often" value={every} options={periods} disabled={busy} change={setEvery} />
      <TextField label="How many times" className="number" inputMode="numeric" {...field('times')} />
      <p className="soft small" role="status">
        {plan ? describe(plan) : 'You see the rules in the wallet’s own window, and agree there.'}
      </p>
      <div className="row">
        <Button type="submit" kind="primary" text={busy ? 'Scheduling …' : 'Schedule'} busy={busy} />
      </div>
      <Problem
        title={isUnknown ? 'It is not known whether it was scheduled.' : 'Nothing was scheduled.'}
        error={error}
      />
    </form>
  )
}

function Scheduler({ wallet }: { readonly wallet: WaasWallet }) {
  const { status, data, error, reload } = useLoaded(readScheduler)
  if (!ownsPrimary(wallet))
    return <p className="soft">Only the first device can do this: this browser has a set of its own.</p>
  if (status === 'failed') return <Failure title="The scheduler does not answer." error={error} retry={reload} />
  return data ? <ScheduleForm wallet={wallet} scheduler={data} /> : <Loading what="the scheduler" widths={[24]} />
}

/** Creates a schedule; only the primary device can issue a share. */
export function ScheduleCard({ wallet }: { readonly wallet: WaasWallet }) {
  return (
    <Card title="Schedule a transfer">
      <p className="soft small">
        This app’s server pays for you, on the local chain, also while this page is closed. It gets a part of its own
        that signs this payment and nothing else.
      </p>
      <Scheduler wallet={wallet} />
    </Card>
  )
}
