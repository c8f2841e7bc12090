import { shorten } from '@keybay/kernel/spec'
import { Button, Notice, sendMessages, useFocus, useMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useTransactions } from '../../react/transactions.js'
import type { PlannedTransfer, SendInput } from '../../steps.js'
import { solText } from '../format.js'
import { useTokens } from '../tokens.js'

/** Time after a transfer in which the same one is taken for a mistake, in ms. */
const RECENT_MS = 30_000

function isSame(transfer: PlannedTransfer, input: SendInput): boolean {
  if (!('to' in input) || transfer.to !== input.to) return false
  const [mint, amount] = 'lamports' in input ? [undefined, input.lamports] : [input.token, input.amount]
  return transfer.token?.mint === mint && transfer.amount === amount
}

/** Returns a function that finds the same transfer among those of the last 30 seconds, before a reload too. */
export function useFindRecent(from: string): (input: SendInput) => PlannedTransfer | undefined {
  const { transactions } = useTransactions()
  return input =>
    transactions
      .filter(({ status }) => status === 'pending' || status === 'confirmed')
      .filter(record => record.from === from && Date.now() - record.signedAt < RECENT_MS)
      .flatMap(({ transfers }) => transfers)
      .find(transfer => isSame(transfer, input))
}

export interface SendAgainProps {
  readonly transfer: PlannedTransfer
  confirm(): void
  cancel(): void
}
/** Asks before the same transfer is sent a second time. */
export function SendAgain({ transfer: { to, amount, token }, confirm, cancel }: SendAgainProps): ReactElement {
  const { text, rich } = useMessages(sendMessages)
  const { amountText } = useTokens()
  const no = useFocus<HTMLButtonElement>()
  const sent = token ? amountText(amount, token) : solText(amount)
  return (
    <Notice kind="warn" title={text('again')}>
      <span>{rich('againText', { amount: sent, address: shorten(to) })}</span>
      <div className="keybay-line">
        <Button small ref={no} text={text('dontSend')} onClick={cancel} />
        <Button small text={text('sendAgain')} onClick={confirm} />
      </div>
    </Notice>
  )
}
