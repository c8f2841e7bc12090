import { sendMessages, useMessages } from '@keybay/react/ui'
import { useState } from 'react'
import { formatAmount } from '../../amount.js'
import { useBalance } from '../../react/balance.js'
import { useTokenAccounts } from '../../react/tokens.js'
import type { Priority, SendInput } from '../../steps.js'
import { solText } from '../format.js'
import { useTokens } from '../tokens.js'
import { getAmountProblem, getDestinationProblem, readAmount, SOL_DECIMALS } from './validate.js'

/** Values of the form, and the fields that the user left: their errors show, but not while the user is typing. */
export interface SendFormValues {
  readonly to: string
  readonly amount: string
  readonly note: string
  readonly speed: Extract<Priority, string>
  readonly wantsSponsor: boolean
  readonly left: { readonly to: boolean; readonly amount: boolean }
}
const EMPTY: SendFormValues = {
  to: '',
  amount: '',
  note: '',
  speed: 'none',
  wantsSponsor: false,
  left: { to: false, amount: false },
}

export interface Asset {
  readonly token: { readonly mint: string; readonly amount: bigint; readonly decimals: number } | undefined
  /** The token is not loaded yet or not held: it must never fall back to SOL. */
  readonly isMissing: boolean
  readonly available: string | undefined
  /** Smallest units; undefined while they are unknown. */
  readonly units: bigint | undefined
  readonly options: readonly { readonly value: string; readonly name: string }[]
  readonly unit: string
}

/** Returns the assets to choose from, and what is available of the chosen one. @param mint empty for SOL */
function useAsset(from: string, mint: string): Asset {
  const { text } = useMessages(sendMessages)
  const { balance } = useBalance(from)
  const { accounts } = useTokenAccounts(from)
  const { symbol, amountText, holdings } = useTokens()
  const held = holdings(accounts ?? [])
  const token = held.find(holding => holding.mint === mint)
  const isMissing = mint !== '' && !token
  const getAvailable = () => {
    if (isMissing) return accounts && text('none')
    if (token) return amountText(token.amount, token)
    return balance === undefined ? undefined : solText(balance)
  }
  const options = [
    { value: '', name: 'SOL' },
    ...(isMissing ? [{ value: mint, name: symbol(mint) }] : []),
    ...held.map(holding => ({ value: holding.mint, name: amountText(holding.amount, holding) })),
  ]
  const units = mint ? token?.amount : balance
  return { token, isMissing, available: getAvailable(), units, options, unit: mint ? symbol(mint) : 'SOL' }
}

/** Returns the texts for what is wrong with the fields. */
function useProblems(to: string, amount: string, decimals: number) {
  const { text } = useMessages(sendMessages)
  const wrongTo = getDestinationProblem(to)
  const wrongAmount = getAmountProblem(amount, decimals)
  return {
    to: wrongTo && (wrongTo === 'toLength' ? text(wrongTo, { length: to.length }) : text(wrongTo)),
    amount: wrongAmount && (wrongAmount === 'amountWrong' ? text(wrongAmount, { decimals }) : text(wrongAmount)),
  }
}

export interface SendForm {
  readonly values: SendFormValues
  setValues(values: SendFormValues): void
  /** Empties the form after a transfer, unless the user has begun to fill it in again. */
  clear(): void
  enter(amount: bigint): void
  /** Empty for SOL. */
  readonly mint: string
  setMint(mint: string): void
  readonly asset: Asset
  readonly problems: { readonly to: string | undefined; readonly amount: string | undefined }
  /** Says that the balance is too low. */
  readonly shortage: string | undefined
  /** Undefined while the form is incomplete, or the balance too low for its amount. */
  readonly input: SendInput | undefined
}

/** Initial values of the form. */
interface Beginning {
  readonly token?: string | undefined
  readonly to?: string | undefined
  readonly amount?: string | undefined
}

/** Keeps the state of the form. */
export function useSendForm(
  from: string,
  { token: firstMint = '', to: firstTo = '', amount: firstAmount = '' }: Beginning,
): SendForm {
  const { text } = useMessages(sendMessages)
  const [values, setValues] = useState<SendFormValues>({
    ...EMPTY,
    to: firstTo,
    amount: firstAmount,
    left: { to: firstTo !== '', amount: firstAmount !== '' },
  })
  const [mint, setMint] = useState(firstMint)
  const asset = useAsset(from, mint)
  const { token, isMissing } = asset
  const decimals = token?.decimals ?? SOL_DECIMALS
  const to = values.to.trim()
  const problems = useProblems(to, values.amount, decimals)
  const units = readAmount(values.amount, decimals)
  const isTooMuch = units !== undefined && asset.units !== undefined && units > asset.units
  const shortage = isTooMuch ? text('tooMuch', { amount: asset.available ?? '' }) : undefined
  const isComplete = problems.to === undefined && problems.amount === undefined && !isMissing && !isTooMuch
  const options = { from, to, memo: values.note.trim() || undefined, priority: values.speed }
  const amount = token ? { token: token.mint, amount: units ?? 0n } : { lamports: units ?? 0n }
  const input = isComplete && units !== undefined ? { ...options, ...amount } : undefined
  const clear = () =>
    setValues(now => (now.to === values.to && now.amount === values.amount ? { ...EMPTY, speed: now.speed } : now))
  const enter = (amount: bigint) => setValues(now => ({ ...now, amount: formatAmount(amount, decimals) }))
  return { values, setValues, clear, enter, mint, setMint, asset, problems, shortage, input }
}
