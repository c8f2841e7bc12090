import { isKeybayError } from '@keybay/kernel'
import { insufficientFunds } from '@keybay/kernel/spec'
import { Button, Problem, SelectField, sendMessages, TextField, useMessages, useRoot } from '@keybay/react/ui'
import { type FormEvent, type ReactElement, type ReactNode, useId, useState } from 'react'
import { useFee } from '../../react/draft.js'
import type { PlannedTransfer, SendInput } from '../../steps.js'
import { Destination, useRecipients } from './destination.js'
import { MaxButton } from './max-button.js'
import { Preview } from './preview.js'
import { Progress } from './progress.js'
import { SendAgain, useFindRecent } from './send-again.js'
import { type SendForm, type SendFormValues, useSendForm } from './use-send-form.js'
import { type Transfer, useTransfer } from './use-transfer.js'

/** Priority fees for a busy chain, as percentiles of recent fees. */
const SPEEDS = ['none', 'low', 'medium', 'high'] as const

export interface SendViewProps {
  /** Sender. */
  readonly address: string
  /** Mint of the token to begin with. Default: SOL. */
  readonly token?: string | undefined
  /** Receiver and amount to begin with, e.g. those of a payment link. The user may change them. */
  readonly to?: string | undefined
  readonly amount?: string | undefined
  /** The product API pays the network fee if the user wishes so. */
  readonly canBeSponsored?: boolean
  /** Called when a transfer begins. */
  onStart?(transfer: { readonly isSponsored: boolean }): void
}

interface AmountFieldProps {
  readonly id: string
  readonly from: string
  readonly form: SendForm
  readonly isSponsored: boolean
  readonly error: string | undefined
  change(amount: string): void
  leave(): void
}
function AmountField({ id, from, form, isSponsored, error, change, leave }: AmountFieldProps) {
  const { text, rich } = useMessages(sendMessages)
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
    <span className="keybay-line">
      <span className="keybay-field-hint keybay-number">{rich('available', { amount: available })}</span>
      {max}
    </span>
  )
  return (
    <TextField
      id={`${id}-amount`}
      label={text('amount')}
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

interface Sending {
  readonly transfer: Transfer
  submit(what: SendInput): void
  forget(): void
  readonly question: ReactNode
}

/** Sends what the form says, after a question if the same was sent a moment ago. */
function useSending({ address, onStart }: SendViewProps, { input, clear }: SendForm, isSponsored: boolean): Sending {
  const transfer = useTransfer()
  const findRecent = useFindRecent(address)
  const { add: remember } = useRecipients(address)
  const [recent, setRecent] = useState<PlannedTransfer>()
  const start = (what: SendInput) => {
    setRecent(undefined)
    onStart?.({ isSponsored })
    transfer.start(what, isSponsored, () => {
      clear()
      if ('to' in what) remember(what.to)
    })
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

interface OptionsProps {
  readonly values: SendFormValues
  readonly canBeSponsored: boolean
  change(part: Partial<SendFormValues>): void
}
/** Fields of a transfer beside receiver and amount. */
function Options({ values: { note, speed, wantsSponsor }, canBeSponsored, change }: OptionsProps) {
  const { text } = useMessages(sendMessages)
  const speeds = SPEEDS.map(value => ({ value, name: text(`speed_${value}`) }))
  return (
    <>
      <TextField
        label={text('note')}
        side={<span className="keybay-field-hint">{text('noteHint')}</span>}
        maxLength={200}
        value={note}
        change={next => change({ note: next })}
      />
      <SelectField label={text('speed')} value={speed} options={speeds} change={next => change({ speed: next })} />
      {canBeSponsored && (
        <label className="keybay-line keybay-small">
          <input
            type="checkbox"
            checked={wantsSponsor}
            onChange={({ target }) => change({ wantsSponsor: target.checked })}
          />
          {text('sponsor')}
        </label>
      )}
    </>
  )
}

/** Sends SOL and tokens: checks the fields early, and shows changes and fee before the wallet opens. */
export function SendView(props: SendViewProps): ReactElement {
  const { address: from, canBeSponsored = false } = props
  const { text } = useMessages(sendMessages)
  const root = useRoot('keybay-card')
  const form = useSendForm(from, props)
  const { values, setValues, mint, setMint, asset, problems, input } = form
  const { left } = values
  const isSponsored = canBeSponsored && values.wantsSponsor
  const { transfer, submit: send, forget, question } = useSending(props, form, isSponsored)
  const id = useId()
  const busy = transfer.status === 'pending'
  const cost = useFee(isSponsored || busy ? undefined : input)
  const isShort = [transfer.error, cost.error].some(error => isKeybayError(error, insufficientFunds))
  const change = (part: Partial<SendFormValues>) => {
    setValues({ ...values, ...part })
    forget()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (input) return send(input)
    setValues({ ...values, left: { to: true, amount: true } })
    document.getElementById(problems.to === undefined ? `${id}-amount` : `${id}-to`)?.focus()
  }
  const leave = (name: 'to' | 'amount') => values[name] && setValues({ ...values, left: { ...left, [name]: true } })
  const chooseAsset = (next: string) => {
    setMint(next)
    change({})
  }
  const amountError = (left.amount ? problems.amount : undefined) ?? form.shortage
  return (
    <section {...root} aria-label={text('transfer')}>
      <form className="keybay-stack" onSubmit={submit} noValidate>
        {asset.options.length > 1 && (
          <SelectField label={text('asset')} value={mint} options={asset.options} change={chooseAsset} />
        )}
        <Destination
          {...{ id, from }}
          to={values.to}
          error={left.to ? problems.to : undefined}
          change={to => change({ to })}
          leave={() => leave('to')}
        />
        <AmountField
          {...{ id, from, form, isSponsored }}
          error={amountError ?? (isShort ? text('insufficient') : undefined)}
          change={amount => change({ amount })}
          leave={() => leave('amount')}
        />
        <Options {...{ values, canBeSponsored, change }} />
        <Preview
          {...{ from, cost, isSponsored }}
          input={busy ? undefined : input}
          isSending={busy}
          hasFailed={transfer.error !== undefined}
        />
        {question ?? <Button type="submit" kind="primary" wide text={text(busy ? 'sending' : 'send')} busy={busy} />}
      </form>
      <Problem title={text('notSent')} error={transfer.error} />
      {transfer.steps.length > 0 && <Progress steps={transfer.steps} />}
    </section>
  )
}
