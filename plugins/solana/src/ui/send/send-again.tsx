import { formatSol, type PlannedTransfer, type SendInput } from '@keybay/solana'
import { useTransactions } from '@keybay/solana/react'
import { Button, groupDecimal, Notice, shorten, useFocus } from '../design/index.js'
import { tokenText } from '../tokens/holdings.js'

/** Time after a transfer in which the same one is taken for a mistake, in ms. */
const RECENT_MS = 30_000

function isSame(transfer: PlannedTransfer, input: SendInput): boolean {
  if (!('to' in input) || transfer.to !== input.to) return false
  const [mint, amount] = 'lamports' in input ? [undefined, input.lamports] : [input.token, input.amount]
  return transfer.token?.mint === mint && transfer.amount === amount
}

/** Returns a function that finds the same transfer among those of the last 30 seconds, before a reload too. */
export function useFindRecent(from: string) {
  const { transactions } = useTransactions()
  return (input: SendInput): PlannedTransfer | undefined =>
    transactions
      .filter(({ status }) => status === 'pending' || status === 'confirmed')
      .filter(record => record.from === from && Date.now() - record.signedAt < RECENT_MS)
      .flatMap(({ transfers }) => transfers)
      .find(transfer => isSame(transfer, input))
}

interface SendAgainProps {
  readonly transfer: PlannedTransfer
  confirm(): void
  cancel(): void
}
/** Asks before the same transfer is sent a second time. */
export function SendAgain({ transfer: { to, amount, token }, confirm, cancel }: SendAgainProps) {
  const no = useFocus<HTMLButtonElement>()
  const text = token ? tokenText(amount, token) : `${groupDecimal(formatSol(amount))} SOL`
  return (
    <Notice kind="warn" title="Send the same again?">
      <span>
        You sent {text} to {shorten(to, 6)} a moment ago.
      </span>
      <div className="row">
        <Button small ref={no} text="Don’t send" onClick={cancel} />
        <Button small text="Send again" onClick={confirm} />
      </div>
    </Notice>
  )
}
