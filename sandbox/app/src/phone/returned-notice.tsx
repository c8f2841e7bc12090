import { isDeepLinkResult } from '@keybay/deep-link'
import { createStore, type KeybayError, type KeybayEvents, type Store } from '@keybay/kernel'
import { useAction, useKeybay } from '@keybay/react'
import bs58 from 'bs58'
import { useSyncExternalStore } from 'react'
import { Button, Notice, Problem, useExplain } from '../design/index.js'
import { Link } from '../routing/link.js'

function Transactions({ signatures }: { readonly signatures: readonly string[] }) {
  return (
    <ul>
      {signatures.map(signature => (
        <li key={signature}>
          <Link to={`/tx/${signature}`}>{signature}</Link>
        </li>
      ))}
    </ul>
  )
}

/** Transactions that the wallet signed and this page has to send. */
function SignedTransactions({ transactions }: { readonly transactions: readonly Uint8Array[] }) {
  const { solana } = useKeybay()
  const explain = useExplain()
  const { run, status, data, error } = useAction(async () => {
    const network = solana.networks.current()
    if (!network) return undefined
    const sent: string[] = []
    // In order, because a later transaction may depend on an earlier one.
    for (const transaction of transactions) {
      const { signature } = await solana.sendTransaction(transaction, network)
      sent.push(signature)
    }
    return sent
  })
  if (data) return <Transactions signatures={data} />
  return (
    <>
      <Button
        text={status === 'pending' ? 'Sending …' : 'Send now'}
        busy={status === 'pending'}
        onClick={() => run()}
      />
      {error && <p role="alert">{explain(error)}</p>}
    </>
  )
}

function Result({ event }: { readonly event: KeybayEvents['operation:resumed'] }) {
  if (isDeepLinkResult(event, 'signMessage'))
    return (
      <Notice kind="good" title="Your wallet signed the message.">
        {event.result.map(({ signature }) => (
          <output key={bs58.encode(signature)} className="code mono break small" aria-label="Signature">
            {bs58.encode(signature)}
          </output>
        ))}
      </Notice>
    )
  if (isDeepLinkResult(event, 'signAndSendTransaction'))
    return (
      <Notice kind="good" title="Your wallet sent the transaction.">
        <Transactions signatures={event.result.map(({ signature }) => bs58.encode(signature))} />
      </Notice>
    )
  if (isDeepLinkResult(event, 'signTransaction') || isDeepLinkResult(event, 'signAllTransactions'))
    return (
      <Notice
        kind="good"
        title={event.result.length > 1 ? 'Your wallet signed the transactions.' : 'Your wallet signed the transaction.'}
      >
        <SignedTransactions transactions={event.result.map(({ signedTransaction }) => signedTransaction)} />
      </Notice>
    )
  return event.method === 'disconnect' ? <Notice title="Your wallet has disconnected from this app." /> : null
}

/** Shown above whichever page the wallet returned to. */
export function ReturnedNotice() {
  const now = useSyncExternalStore(returned.subscribe, returned.get, returned.get)
  if (!now) return null
  if (now.event) return <Result event={now.event} />
  return <Problem title="Your wallet did not do it." error={now.error} />
}

type Returned =
  | { readonly event: KeybayEvents['operation:resumed']; readonly error?: undefined }
  | { readonly event?: undefined; readonly error: KeybayError }

const returned: Store<Returned | undefined> = createStore<Returned | undefined>(undefined, error =>
  console.error(error),
)
interface Source {
  on<const K extends 'operation:resumed' | 'operation:failed' | 'connection:failed'>(
    event: K,
    listener: (payload: KeybayEvents[K]) => void,
  ): unknown
}
/** Subscribes immediately, even if no page shows the result. */
export function keepReturned({ on }: Source): void {
  const failed = ({ connectorId, error }: KeybayEvents['connection:failed']) => {
    // An aborted operation continues in another tab or was replaced by a newer one.
    if (connectorId.startsWith('deep-link:') && error.code !== 'aborted') returned.set({ error })
  }
  on('operation:resumed', event => returned.set({ event }))
  on('operation:failed', failed)
  on('connection:failed', failed)
}
