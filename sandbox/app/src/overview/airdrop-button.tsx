import { aborted, isKeybayError } from '@keybay/kernel'
import { useAction, useKeybay } from '@keybay/react'
import { parseSol } from '@keybay/solana'
import type { ReactElement } from 'react'
import { Glyph } from '../design/icons.js'
import { toast } from '../shell/toasts.js'
import { explain } from '../wording.js'

const AMOUNT = '2'

/** Requests test coins from the chain's faucet. */
export function AirdropButton({ address }: { readonly address: string }): ReactElement {
  const { solana } = useKeybay()
  const airdrop = useAction((signal, to: string) => solana.requestAirdrop(to, parseSol(AMOUNT), { signal }))
  const busy = airdrop.status === 'pending'
  const ask = () => {
    if (busy) return
    airdrop.runAsync(address).then(
      () => toast(`${AMOUNT} SOL arrived`),
      error => {
        if (!isKeybayError(error, aborted)) toast(`No airdrop. ${explain(error)}`, 'bad')
      },
    )
  }
  return (
    <button type="button" className="button" aria-disabled={busy} onClick={ask}>
      {busy ? <span className="spinner" aria-hidden="true" /> : <Glyph name="drop" size={18} />}
      {busy ? 'Asking the faucet …' : `Airdrop ${AMOUNT} SOL`}
    </button>
  )
}
