import { aborted, isKeybayError } from '@keybay/kernel'
import { type Action, useAction, useKeybay } from '@keybay/react'
import { parseSol } from '@keybay/solana'
import { useTokenAccounts } from '@keybay/solana/react'
import { LoadFailed } from '../chain/load-failed.js'
import { useCurrentNetwork } from '../chain/use-loaded.js'
import { Button, Card, Loading, Skeleton, toast, useExplain } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { getHoldings, type Holding, mintDemoTokens, tokenText } from './holdings.js'

function TokenRow({ holding }: { readonly holding: Holding }) {
  const { mint, symbol, name, amount, frozen } = holding
  return (
    <li className="token-row">
      <span className="token-name">
        <strong title={mint}>{symbol}</strong>
        <span className="soft small">{name}</span>
      </span>
      {frozen && <span className="keybay-tag keybay-tag-bad">Frozen</span>}
      <span className="number">{tokenText(amount, holding)}</span>
      <LinkButton to={`/send?token=${mint}`} small text="Send" aria-label={`Send ${symbol}`} />
    </li>
  )
}

export function TokensCard({ address }: { readonly address: string }) {
  const { accounts, error, refresh } = useTokenAccounts(address)
  const { cluster } = useCurrentNetwork()
  const look = () => void refresh()
  const holdings = accounts && getHoldings(accounts)
  return (
    <Card title="Tokens" side={cluster === 'localnet' && <TestTokensButton address={address} onArrival={look} />}>
      {holdings?.length ? (
        <ul className="tokens">
          {holdings.map(holding => (
            <TokenRow key={holding.mint} holding={holding} />
          ))}
        </ul>
      ) : holdings ? (
        <p className="soft">No tokens yet.</p>
      ) : error ? (
        <LoadFailed what="the tokens" error={error} reload={look} />
      ) : (
        <div className="tokens">
          <Loading what="the tokens" />
          <Skeleton width={20} />
        </div>
      )}
    </Card>
  )
}

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
function TestTokensButton({ address, onArrival }: { address: string; onArrival: () => void }) {
  const minting = useAction((signal, to: string) => mintDemoTokens(to, signal))
  const { busy, request } = useFaucet(minting, 'Test tokens arrived', 'No tokens.', onArrival)
  return <FaucetButton small busy={busy} text="Get test tokens" onClick={() => request(address)} />
}
