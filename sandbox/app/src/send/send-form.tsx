import { isKeybayError } from '@keybay/kernel'
import { insufficientFunds } from '@keybay/kernel/spec'
import { useActiveAccount } from '@keybay/react'
import { formatSol, type SendInput } from '@keybay/solana'
import { useBalance, useTokenAccounts } from '@keybay/solana/react'
import { type FormEvent, useId, useState } from 'react'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Button } from '../design/button.js'
import { Problem } from '../design/feedback.js'
import { TextField } from '../design/field.js'
import { groupDecimal } from '../design/format.js'
import { Page } from '../design/page.js'
import { EvmSendCard } from '../evm/evm-actions.js'
import { useEvm } from '../evm/evm-card.js'
import { getHoldings, getSymbol, tokenText } from '../tokens/holdings.js'
import { AssetField, type Speed, SpeedField } from './fields.js'
import { Preview } from './preview.js'
import { Progress } from './progress.js'
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

export function SendForm({ from }: { readonly from: string }) {
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
        <TextField
          id={`${id}-to`}
          label="Destination"
          error={touched.to ? problems.to : undefined}
          mono
          value={to}
          placeholder="Solana address"
          onBlur={() => to && setTouched({ ...touched, to: true })}
          change={change(setTo)}
        />
        <TextField
          id={`${id}-amount`}
          label="Amount"
          side={available && <span className="field-hint number">{available} available</span>}
          error={(touched.amount ? problems.amount : undefined) ?? (isShort ? transfer.error?.message : undefined)}
          unit={unit}
          value={amount}
          placeholder="0.0"
          onBlur={() => amount && setTouched({ ...touched, amount: true })}
          change={change(setAmount)}
        />
        <TextField
          id={`${id}-note`}
          label="Note"
          side={<span className="field-hint">public, optional</span>}
          value={note}
          maxLength={200}
          change={change(setNote)}
        />
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
        <Button kind="primary" wide text={busy ? 'Sending …' : 'Send'} type="submit" busy={busy} />
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
