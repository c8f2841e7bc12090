import { useAction } from '@keybay/react'
import { Button, sendMessages, toast, useExplain, useMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useSolana } from '../../react/solana.js'
import type { Priority } from '../../steps.js'

export interface MaxButtonProps {
  readonly from: string
  readonly to: string
  readonly memo: string | undefined
  readonly priority: Priority
  /** Balance, in the asset's smallest units. */
  readonly units: bigint
  /** The amount also pays the network fee. */
  readonly paysFee: boolean
  enter(amount: bigint): void
}
/** Enters all that can be sent: of SOL, what the network fee leaves. */
export function MaxButton({ from, to, memo, priority, units, paysFee, enter }: MaxButtonProps): ReactElement {
  const { text } = useMessages(sendMessages)
  const explain = useExplain()
  const solana = useSolana()
  const { runAsync, status } = useAction(async signal => {
    if (!paysFee) return units
    const { build, fee } = await solana.steps()
    // The fee does not depend on the amount.
    const built = await build({ from, to, memo, priority, lamports: units / 2n }, { signal, preview: true })
    const { fee: lamports } = await fee(built, { signal })
    return units > lamports ? units - lamports : 0n
  })
  const press = () => runAsync().then(enter, error => toast(text('maxUnknown', { error: explain(error) }), 'bad'))
  const busy = status === 'pending'
  return <Button small kind="quiet" text={text('max')} busy={busy} onClick={() => void press()} />
}
