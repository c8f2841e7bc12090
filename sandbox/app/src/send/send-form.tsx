import { isKeybayError } from '@keybay/kernel'
import { insufficientFunds } from '@keybay/kernel/spec'
import { formatSol, type SendInput } from '@keybay/solana'
import { useBalance, useTokenAccounts } from '@keybay/solana/react'
import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { Notice, noticeKind } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { groupDecimal } from '../design/format.js'
import { getHoldings, getSymbol, tokenText } from '../tokens/holdings.js'
import { explain } from '../wording.js'
import { AssetField } from './asset-field.js'
import { Preview } from './preview.js'
import { Progress } from './progress.js'
import { type Speed, SpeedField } from './speed-field.js'
import { useCanBeSponsored } from './sponsorship.js'
import { useTransfer } from './use-transfer.js'
import { amountProblem, destinationProblem, readAmount, SOL_DECIMALS } from './validate.js'

/** Fields that the user left or submitted: their errors show, but not while the user is typing. */
type Touched = Readonly<Record<'to' | 'amount', boolean>>
const UNTOUCHED: Touched = { to: false, amount: false }

/** Returns the token named in the URL: `/send?token=…`. */
function wantedToken(): string {
  return new URLSearchParams(location.search).get('token') ?? ''
}

export function SendForm({ from }: { readonly from: string }): ReactElement {
  const [mint, setMint] = useState(wantedToken)
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const [speed, setSpeed] = useState<Speed>('none')
  const [wantsSponsor, setWantsSponsor] = useState(false)
  const [touched, setTouched] = useState(UNTOUCHED)
  const { balance } = useBalance(from)
  const { accounts } = useTokenAccounts(from)
  const canBeSponsored = useCanBeSponsored()
  const transfer = useTransfer()
  const id = useId()

  const holdings = getHoldings(accounts ?? [])
  const token = holdings.find(holding => holding.mint === mint)
  // The token from the URL is not loaded yet or not held: it must never fall back to SOL.
  const isMissing = mint !== '' && !token
  const unit = mint ? getSymbol(mint) : 'SOL'
  const decimals = token?.decimals ?? SOL_DECIMALS
  const available = isMissing
    ? accounts && 'none'
    : token
      ? tokenText(token.amount, token)
      : balance !== undefined && `${groupDecimal(formatSol(balance))} SOL`
  const destination = to.trim()
  const problems = { to: destinationProblem(destination), amount: amountProblem(amount, decimals) }
  const units = readAmount(amount, decimals)
  const isComplete = problems.to === undefined && problems.amount === undefined && units !== undefined && !isMissing
  const options = { from, to: destination, memo: note.trim() || undefined, priority: speed }
  const input: SendInput | undefined = !isComplete
    ? undefined
    : token
      ? { ...options, token: token.mint, amount: units }
      : { ...options, lamports: units }
  const isSponsored = canBeSponsored && wantsSponsor
  const busy = transfer.status === 'pending'
  const isShort = isKeybayError(transfer.error, insufficientFunds)

  /** After a change, the result of the last transfer no longer applies. */
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      if (!busy) transfer.reset()
    }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setTouched({ to: true, amount: true })
    if (input) transfer.start(input, isSponsored)
    else document.getElementById(problems.to === undefined ? `${id}-amount` : `${id}-to`)?.focus()
  }

  return (
    <section className="card" aria-label="Transfer">
      <form className="stack" onSubmit={submit} noValidate>
        {(holdings.length > 0 || mint) && <AssetField value={mint} holdings={holdings} onChange={change(setMint)} />}
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
          side={available && <span className="field-hint number">{available} available</span>}
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
              <div>{unit}</div>
            </div>
          )}
        </Field>
        <Field
          id={`${id}-note`}
          label="Note"
          side={<span className="field-hint">public, optional</span>}
          error={undefined}
        >
          {aria => (
            <input
              {...aria}
              className="input"
              value={note}
              maxLength={200}
              autoComplete="off"
              onChange={event => change(setNote)(event.target.value)}
            />
          )}
        </Field>
        <SpeedField value={speed} onChange={change(setSpeed)} />
        {canBeSponsored && (
          <label className="row small">
            <input
              type="checkbox"
              checked={wantsSponsor}
              onChange={event => change(setWantsSponsor)(event.target.checked)}
            />
            Let this app pay the network fee
          </label>
        )}
        <Preview from={from} input={busy ? undefined : input} isSponsored={isSponsored} />
        <button type="submit" className="button button-primary button-wide" aria-disabled={busy}>
          {busy ? 'Sending …' : 'Send'}
        </button>
      </form>
      {transfer.error && (
        <Notice kind={noticeKind(transfer.error)} title="Not sent.">
          {explain(transfer.error)}
        </Notice>
      )}
      {transfer.steps.length > 0 && <Progress steps={transfer.steps} />}
    </section>
  )
}
