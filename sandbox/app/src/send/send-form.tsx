import { isKeybayError } from '@keybay/kernel'
import { insufficientFunds } from '@keybay/kernel/spec'
import { formatSol } from '@keybay/solana'
import { useBalance } from '@keybay/solana/react'
import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { Notice } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { groupDecimal } from '../design/format.js'
import { explain } from '../wording.js'
import { FeeRow } from './fee-row.js'
import { Progress } from './progress.js'
import { useTransfer } from './use-transfer.js'
import { amountProblem, destinationProblem, readAmount } from './validate.js'

/** Errors show when a field was left or the form sent, not while one is still typing. */
type Touched = Readonly<Record<'to' | 'amount', boolean>>
const UNTOUCHED: Touched = { to: false, amount: false }

export function SendForm({ from }: { readonly from: string }): ReactElement {
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [touched, setTouched] = useState(UNTOUCHED)
  const { balance } = useBalance(from)
  const transfer = useTransfer()
  const id = useId()

  const destination = to.trim()
  const problems = { to: destinationProblem(destination), amount: amountProblem(amount) }
  const lamports = readAmount(amount)
  const busy = transfer.status === 'pending'
  const isShort = isKeybayError(transfer.error, insufficientFunds)

  /** A change makes what the last transfer said untrue. */
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    if (!busy) transfer.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setTouched({ to: true, amount: true })
    if (problems.to !== undefined || problems.amount !== undefined || lamports === undefined) {
      document.getElementById(problems.to === undefined ? `${id}-amount` : `${id}-to`)?.focus()
      return
    }
    transfer.start({ from, to: destination, lamports })
  }

  return (
    <section className="card" aria-label="Transfer">
      <form className="stack" onSubmit={submit} noValidate>
        <Field id={`${id}-to`} label="Destination" error={touched.to ? problems.to : undefined}>
          {aria => (
            <input
              {...aria}
              className="input input-mono"
              value={to}
              autoComplete="off"
              spellCheck={false}
              placeholder="Solana address"
              onChange={event => change(setTo)(event.target.value)}
              onBlur={() => to && setTouched({ ...touched, to: true })}
            />
          )}
        </Field>
        <Field
          id={`${id}-amount`}
          label="Amount"
          side={
            balance !== undefined && (
              <span className="field-hint number">{groupDecimal(formatSol(balance))} SOL available</span>
            )
          }
          error={(touched.amount ? problems.amount : undefined) ?? (isShort ? transfer.error?.message : undefined)}
        >
          {aria => (
            <div className="input-unit">
              <input
                {...aria}
                className="input number"
                inputMode="decimal"
                autoComplete="off"
                value={amount}
                placeholder="0.0"
                onChange={event => change(setAmount)(event.target.value)}
                onBlur={() => amount && setTouched({ ...touched, amount: true })}
              />
              <div>SOL</div>
            </div>
          )}
        </Field>
        <FeeRow
          from={from}
          to={problems.to === undefined ? destination : undefined}
          lamports={problems.amount === undefined ? lamports : undefined}
        />
        <button type="submit" className="button button-primary button-wide" aria-disabled={busy}>
          {busy ? 'Sending …' : 'Send'}
        </button>
      </form>
      {transfer.error && (
        <Notice kind={transfer.error.code === 'user_rejected' ? 'warn' : 'bad'} title="Not sent.">
          {explain(transfer.error)}
        </Notice>
      )}
      {transfer.steps.length > 0 && <Progress steps={transfer.steps} />}
    </section>
  )
}
