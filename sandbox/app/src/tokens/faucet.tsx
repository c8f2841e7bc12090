/** Buttons that ask the faucet of the sandbox's chain for SOL and tokens. */
import { aborted, isKeybayError } from '@keybay/kernel'
import { type Action, useAction, useKeybay } from '@keybay/react'
import { parseSol } from '@keybay/solana'
import { Button, toast, useExplain } from '../design/index.js'
import { mintDemoTokens } from './demo-tokens.js'

/** Asks the faucet for coins or tokens. */
function useFaucet(action: Action<[to: string], unknown>, arrived: string, failed: string, onArrival?: () => void) {
  const explain = useExplain()
  const busy = action.status === 'pending'
  const request = (address: string) => {
    if (busy) return
    action.runAsync(address).then(
      () => {
        toast(arrived)
        onArrival?.()
      },
      error => {
        if (!isKeybayError(error, aborted)) toast(`${failed} ${explain(error)}`, 'bad')
      },
    )
  }
  return { busy, request }
}

function FaucetButton({ busy, text, ...rest }: { busy: boolean; text: string; small?: boolean; onClick(): void }) {
  const spinner = <span className="keybay-spinner" aria-hidden="true" />
  return busy ? (
    <Button {...rest} busy text={<>{spinner}Asking the faucet …</>} />
  ) : (
    <Button {...rest} busy={false} icon="drop" text={text} />
  )
}

const AMOUNT = '2'

export function AirdropButton({ address }: { readonly address: string }) {
  const { solana } = useKeybay()
  const airdrop = useAction((signal, to: string) => solana.requestAirdrop(to, parseSol(AMOUNT), { signal }))
  const { busy, request } = useFaucet(airdrop, `${AMOUNT} SOL arrived`, 'No airdrop.')
  return <FaucetButton busy={busy} text={`Airdrop ${AMOUNT} SOL`} onClick={() => request(address)} />
}

/** Requests 100 of each demo token from the sandbox's chain. */
export function TestTokensButton({ address, onArrival }: { address: string; onArrival: () => void }) {
  const minting = useAction((signal, to: string) => mintDemoTokens(to, signal))
  const { busy, request } = useFaucet(minting, 'Test tokens arrived', 'No tokens.', onArrival)
  return <FaucetButton small busy={busy} text="Get test tokens" onClick={() => request(address)} />
}
