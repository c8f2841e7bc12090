import { isKeybayError } from '@keybay/kernel'
import { insufficientFunds } from '@keybay/kernel/spec'
import { useActiveAccount } from '@keybay/react'
import { formatSol, type Priority, type SendInput } from '@keybay/solana'
import { useBalance, useTokenAccounts } from '@keybay/solana/react'
import { type FormEvent, useId, useState } from 'react'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Button, groupDecimal, Page, Problem, SelectField, TextField } from '../design/index.js'
import { EvmSendCard } from '../evm/evm-actions.js'
import { useEvm } from '../evm/evm-card.js'
import { getHoldings, getSymbol, tokenText } from '../tokens/holdings.js'
import { Preview } from './preview.js'
import { Progress } from './progress.js'
import { useCanBeSponsored } from './sponsorship.js'
import { useTransfer } from './use-transfer.js'
import { amountProblem, destinationProblem, readAmount, SOL_DECIMALS } from './validate.js'

/** Priority fees for a busy chain, as percentiles of recent fees. */
const SPEEDS: readonly { readonly value: Extract<Priority, string>; readonly name: string }[] = [
  { value: 'none', name: 'Normal: no extra fee' },
  { value: 'low', name: 'Faster (25th percentile of recent fees)' },
  { value: 'medium', name: 'Fast (median of recent fees)' },
  { value: 'high', name: 'First (75th percentile of recent fees)' },
]

/** Values of the form, and the fields that the user left: their errors show, but not while the user is typing. */
const EMPTY = {
  to: '',
  amount: '',
  note: '',
  speed: 'none' as Extract<Priority, string>,
  wantsSponsor: false,
  left: { to: false, amount: false },
}

function wantedToken(): string {
  return new URLSearchParams(location.search).get('token') ?? ''
}

/** Assets to choose from, and what is available of the chosen one. @param mint address; empty for SOL */
function useAsset(from: string, mint: string) {
  const { balance } = useBalance(from)
  const { accounts } = useTokenAccounts(from)
  const holdings = getHoldings(accounts ?? [])
  const token = holdings.find(holding => holding.mint === mint)
  // The token from the URL is not loaded yet or not held: it must never fall back to SOL.
  const isMissing = mint !== '' && !token
  const available = isMissing
    ? accounts && 'none'
    : token
      ? tokenText(token.amount, token)
      : balance !== undefined && `${groupDecimal(formatSol(balance))} SOL`
  const options = [
    { value: '', name: 'SOL' },
    ...(isMissing ? [{ value: mint, name: getSymbol(mint) }] : []),
    ...holdings.map(holding => ({ value: holding.mint, name: tokenText(holding.amount, holding) })),
  ]
  return { token, isMissing, available, options, unit: mint ? getSymbol(mint) : 'SOL' }
}

/** State of the form. `input` is undefined while it is incomplete. */
function useSendForm(from: string) {
  const [values, setValues] = useState(EMPTY)
  const [mint, setMint] = useState(wantedToken)
  const asset = useAsset(from, mint)
  const { token, isMissing } = asset
  const decimals = token?.decimals ?? SOL_DECIMALS
  const to = values.to.trim()
  const problems = { to: destinationProblem(to), amount: amountProblem(values.amount, decimals) }
  const units = readAmount(values.amount, decimals)
  const isComplete = problems.to === undefined && problems.amount === undefined && !isMissing
  const options = { from, to, memo: values.note.trim() || undefined, priority: values.speed }
  const amount = token ? { token: token.mint, amount: units ?? 0n } : { lamports: units ?? 0n }
  const input: SendInput | undefined = isComplete && units !== undefined ? { ...options, ...amount } : undefined
  return { values, setValues, mint, setMint, asset, problems, input }
}

function SendForm({ from }: { readonly from: string }) {
  const { values, setValues, mint, setMint, asset, problems, input } = useSendForm(from)
  const { left } = values
  const canBeSponsored = useCanBeSponsored()
  const isSponsored = canBeSponsored && values.wantsSponsor
  const transfer = useTransfer()
  const id = useId()
  const busy = transfer.status === 'pending'
  const shortage = isKeybayError(transfer.error, insufficientFunds) ? transfer.error.message : undefined
  /** After a change, the result of the last transfer no longer applies. */
  const change = (part: Partial<typeof EMPTY>) => {
    setValues({ ...values, ...part })
    if (!busy) transfer.reset()
  }
  const chooseAsset = (next: string) => {
    setMint(next)
    change({})
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setValues({ ...values, left: { to: true, amount: true } })
    if (input) transfer.start(input, isSponsored)
    else document.getElementById(problems.to === undefined ? `${id}-amount` : `${id}-to`)?.focus()
  }
  const leave = (name: 'to' | 'amount') => values[name] && setValues({ ...values, left: { ...left, [name]: true } })
  const { available } = asset
  return (
    <section className="card" aria-label="Transfer">
      <form className="stack" onSubmit={submit} noValidate>
        {asset.options.length > 1 && (
          <SelectField label="Asset" value={mint} options={asset.options} change={chooseAsset} />
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
        <TextField
          id={`${id}-amount`}
          label="Amount"
          side={available && <span className="field-hint number">{available} available</span>}
          error={(left.amount ? problems.amount : undefined) ?? shortage}
          unit={asset.unit}
          placeholder="0.0"
          value={values.amount}
          change={amount => change({ amount })}
          onBlur={() => leave('amount')}
        />
        <TextField
          label="Note"
          side={<span className="field-hint">public, optional</span>}
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
        <Preview from={from} input={busy ? undefined : input} isSponsored={isSponsored} />
        <Button type="submit" kind="primary" wide text={busy ? 'Sending …' : 'Send'} busy={busy} />
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
