import { useAction, useKeybay } from '@keybay/react'
import type { Priority } from '@keybay/solana'
import { Button, toast } from '../design/index.js'
import { explain } from '../wording.js'

interface MaxButtonProps {
  readonly from: string
  readonly to: string
  readonly memo: string | undefined
  readonly priority: Priority
  /** What there is, in the asset's smallest units. */
  readonly units: bigint
  /** The amount also pays the network fee. */
  readonly paysFee: boolean
  enter(amount: bigint): void
}
/** Enters all that can be sent: of SOL, what the network fee leaves. */
export function MaxButton({ from, to, memo, priority, units, paysFee, enter }: MaxButtonProps) {
  const { solana } = useKeybay()
  const { runAsync, status } = useAction(async signal => {
    if (!paysFee) return units
    const { build, fee } = await solana.steps()
    // The fee does not depend on the amount.
    const built = await build({ from, to, memo, priority, lamports: units / 2n }, { signal, preview: true })
    const { fee: lamports } = await fee(built, { signal })
    return units > lamports ? units - lamports : 0n
  })
  const press = () => runAsync().then(enter, error => toast(`The fee is not known. ${explain(error)}`, 'bad'))
  const busy = status === 'pending'
  return <Button small kind="quiet" text="Max" busy={busy} onClick={() => void press()} />
}
