import { formatAmount, formatSol, type Priority, type SendInput } from '@keybay/solana'
import { useBalance, useTokenAccounts } from '@keybay/solana/react'
import { useState } from 'react'
import { groupDecimal } from '../design/index.js'
import { getHoldings, getSymbol, tokenText } from '../tokens/holdings.js'
import { amountProblem, destinationProblem, readAmount, SOL_DECIMALS } from './validate.js'

/** Values of the form, and the fields that the user left: their errors show, but not while the user is typing. */
export const EMPTY = {
  to: '',
  amount: '',
  note: '',
  speed: 'none' as Extract<Priority, string>,
  wantsSponsor: false,
  left: { to: false, amount: false },
}
export type SendFormValues = typeof EMPTY

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
  /** Smallest units; undefined while they are unknown. */
  const units = mint ? token?.amount : balance
  return { token, isMissing, available, units, options, unit: mint ? getSymbol(mint) : 'SOL' }
}

/** State of the form. `input` is undefined while it is incomplete, or the balance too low for its amount. */
export function useSendForm(from: string) {
  const [values, setValues] = useState(EMPTY)
  const [mint, setMint] = useState(wantedToken)
  const asset = useAsset(from, mint)
  const { token, isMissing } = asset
  const decimals = token?.decimals ?? SOL_DECIMALS
  const to = values.to.trim()
  const problems = { to: destinationProblem(to), amount: amountProblem(values.amount, decimals) }
  const units = readAmount(values.amount, decimals)
  const isTooMuch = units !== undefined && asset.units !== undefined && units > asset.units
  const shortage = isTooMuch ? `You have ${asset.available}. Enter less.` : undefined
  const isComplete = problems.to === undefined && problems.amount === undefined && !isMissing && !isTooMuch
  const options = { from, to, memo: values.note.trim() || undefined, priority: values.speed }
  const amount = token ? { token: token.mint, amount: units ?? 0n } : { lamports: units ?? 0n }
  const input: SendInput | undefined = isComplete && units !== undefined ? { ...options, ...amount } : undefined
  /** Empties the form after a transfer, unless the user has begun to fill it in again. */
  const clear = () =>
    setValues(now => (now.to === values.to && now.amount === values.amount ? { ...EMPTY, speed: now.speed } : now))
  const enter = (amount: bigint) => setValues(now => ({ ...now, amount: formatAmount(amount, decimals) }))
  return { values, setValues, clear, enter, mint, setMint, asset, problems, shortage, input }
}
