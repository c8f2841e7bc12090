import { aborted, isKeybayError } from '@keybay/kernel'
import { useAction } from '@keybay/react'
import type { ReactElement } from 'react'
import { Glyph } from '../design/icons.js'
import { toast } from '../shell/toasts.js'
import { explain } from '../wording.js'
import { mintDemoTokens } from './demo-tokens.js'

interface TestTokensButtonProps {
  readonly address: string
  readonly onArrival: () => void
}
/** Requests 100 of each demo token from the sandbox's chain. */
export function TestTokensButton({ address, onArrival }: TestTokensButtonProps): ReactElement {
  const minting = useAction((signal, to: string) => mintDemoTokens(to, signal))
  const busy = minting.status === 'pending'
  const ask = () => {
    if (busy) return
    minting.runAsync(address).then(
      () => {
        toast('Test tokens arrived')
        onArrival()
      },
      error => {
        if (!isKeybayError(error, aborted)) toast(`No tokens. ${explain(error)}`, 'bad')
      },
    )
  }
  return (
    <button type="button" className="button button-small" aria-disabled={busy} onClick={ask}>
      {busy ? <span className="spinner" aria-hidden="true" /> : <Glyph name="drop" size={18} />}
      {busy ? 'Asking the faucet …' : 'Get test tokens'}
    </button>
  )
}
