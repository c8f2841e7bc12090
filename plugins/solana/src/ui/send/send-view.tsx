import { isKeybayError } from '@keybay/kernel'
import { insufficientFunds } from '@keybay/kernel/spec'
import { useActiveAccount } from '@keybay/react'
import type { PlannedTransfer, Priority, SendInput } from '@keybay/solana'
import { useFee } from '@keybay/solana/react'
import { type FormEvent, useId, useState } from 'react'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Button, Page, Problem, SelectField, TextField } from '../design/index.js'
import { EvmSendCard } from '../evm/evm-actions.js'
import { useEvm } from '../evm/evm-card.js'
import { MaxButton } from './max-button.js'
import { Preview } from './preview.js'
import { Progress } from './progress.js'
import { SendAgain, useFindRecent } from './send-again.js'
import { useCanBeSponsored } from './sponsorship.js'
import { type SendFormValues, useSendForm } from './use-send-form.js'
import { useTransfer } from './use-transfer.js'

/** Priority fees for a busy chain, as percentiles of recent fees. */
const SPEEDS: readonly { readonly value: Extract<Priority, string>; readonly name: string }[] = [
  { value: 'none', name: 'Normal: no extra fee' },
  { value: 'low', name: 'Faster (25th percentile of recent fees)' },
  { value: 'medium', name: 'Fast (median of recent fees)' },
  { value: 'high', name: 'First (75th percentile of recent fees)' },
]

interface AmountFieldProps {
  readonly id: string
  readonly from: string
  readonly form: ReturnType<typeof useSendForm>
  readonly isSponsored: boolean
  readonly error: string | undefined
  change(amount: string): void
  leave(): void
}
function AmountField({ id, from, form, isSponsored, error, change, leave }: AmountFieldProps) {
  const { values, asset, problems, enter } = form
  const { available, units, unit, token } = asset
  const to = problems.to === undefined ? values.to.trim() : from
  const memo = values.note.trim() || undefined
  const max = units !== undefined && units > 0n && (
    <MaxButton
      {...{ from, to, memo, units, enter }}
      priority={values.speed}
      paysFee={token === undefined && !isSponsored}
    />
  )
  const side = available && (
    <span className="row">
      <span className="keybay-field-hint number">{available} available</span>
      {max}
    </span>
  )
  return (
    <TextField
      id={`${id}-amount`}
      label="Amount"
      side={side}
      error={error}
      unit={unit}
      placeholder="0.0"
      value={values.amount}
      change={change}
      onBlur={leave}
    />
  )
}

/** Sends what the form says, after a question if the same was sent a moment ago. */
function useSending(from: string, { input, clear }: ReturnType<typeof useSendForm>, isSponsored: boolean) {
  const transfer = useTransfer()
  const findRecent = useFindRecent(from)
  const [recent, setRecent] = useState<PlannedTransfer>()
  const start = (what: SendInput) => {
    setRecent(undefined)
    transfer.start(what, isSponsored, clear)
  }
  const submit = (what: SendInput) => {
    const same = findRecent(what)
    if (same) setRecent(same)
    else start(what)
  }
  /** After a change, neither the question nor the result of the last transfer applies. */
  const forget = () => {
    setRecent(undefined)
    if (transfer.status !== 'pending') transfer.reset()
  }
  const question = recent && input && (
    <SendAgain transfer={recent} confirm={() => start(input)} cancel={() => setRecent(undefined)} />
  )
  return { transfer, submit, forget, question }
}

export function SendForm({ from }: { readonly from: string }) {
  const form = useSendForm(from)
  const { values, setValues, mint, setMint, asset, problems, input } = form
  const { left } = values
  const canBeSponsored = useCanBeSponsored()
  const isSponsored = canBeSponsored && values.wantsSponsor
  const { transfer, submit: send, forget, question } = useSending(from, form, isSponsored)
  const id = useId()
  const busy = transfer.status === 'pending'
  const cost = useFee(isSponsored || busy ? undefined : input)
  const refused = [transfer.error, cost.error].find(error => isKeybayError(error, insufficientFunds))
  const change = (part: Partial<SendFormValues>) => {
    setValues({ ...values, ...part })
    forget()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (input) send(input)
    else {
      setValues({ ...values, left: { to: true, amount: true } })
      document.getElementById(problems.to === undefined ? `${id}-amount` : `${id}-to`)?.focus()
    }
  }
  const leave = (name: 'to' | 'amount') => values[name] && setValues({ ...values, left: { ...left, [name]: true } })
  return (
    <section className="keybay-card" aria-label="Transfer">
      <form className="stack" onSubmit={submit} noValidate>
        {asset.options.length > 1 && (
          <SelectField
            label="Asset"
            value={mint}
            options={asset.options}
            change={next => {
              setMint(next)
              change({})
            }}
          />
        )}
        <TextField
          id={`${id}-to`}
          label="Destination"
          error={left.to ? problems.to : undefined}
          mono
          placeholder="Solana address"
          value={values.to}
          change={to => change({ to })}
          onBlur={() => leave('to')}
        />
        <AmountField
          {...{ id, from, form, isSponsored }}
          error={(left.amount ? problems.amount : undefined) ?? form.shortage ?? refused?.message}
          change={amount => change({ amount })}
          leave={() => leave('amount')}
        />
        <TextField
          label="Note"
          side={<span className="keybay-field-hint">public, optional</span>}
          maxLength={200}
          value={values.note}
          change={note => change({ note })}
        />
        <SelectField label="Speed" value={values.speed} options={SPEEDS} change={speed => change({ speed })} />
        {canBeSponsored && (
          <label className="row small">
            <input
              type="checkbox"
              checked={values.wantsSponsor}
              onChange={event => change({ wantsSponsor: event.target.checked })}
            />
            Let this app pay the network fee
          </label>
        )}
        <Preview
          from={from}
          input={busy ? undefined : input}
          cost={cost}
          isSponsored={isSponsored}
          hasFailed={transfer.error !== undefined}
        />
        {question ?? <Button type="submit" kind="primary" wide text={busy ? 'Sending …' : 'Send'} busy={busy} />}
      </form>
      <Problem title="Not sent." error={transfer.error} />
      {transfer.steps.length > 0 && <Progress steps={transfer.steps} />}
    </section>
  )
}

export function SendPage() {
  const { account } = useActiveAccount()
  const evm = useEvm()
  return (
    <Page title="Send SOL and tokens" width="narrow">
      {account ? <SendForm key={account.key} from={account.address} /> : <NeedsAccount to="send SOL" />}
      {evm && <EvmSendCard evm={evm} />}
    </Page>
  )
}
