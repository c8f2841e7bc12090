import { isDeepLinkResult } from '@keybay/deep-link'
import type { KeybayEvents } from '@keybay/kernel'
import { useAction, useKeybay } from '@keybay/react'
import bs58 from 'bs58'
import { type ReactElement, useSyncExternalStore } from 'react'
import { Notice, noticeKind } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { explain } from '../wording.js'
import { returned } from './returned.js'

function Transactions({ signatures }: { readonly signatures: readonly string[] }): ReactElement {
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
function SignedTransactions({ transactions }: { readonly transactions: readonly Uint8Array[] }): ReactElement {
  const { solana } = useKeybay()
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
      <button type="button" className="button" aria-disabled={status === 'pending'} onClick={() => run()}>
        {status === 'pending' ? 'Sending …' : 'Send now'}
      </button>
      {error && <p role="alert">{explain(error)}</p>}
    </>
  )
}

function Result({ event }: { readonly event: KeybayEvents['operation:resumed'] }): ReactElement | null {
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
  return event.method === 'disconnect' ? <Notice title="Your wallet has let go of this app." /> : null
}

/** Shown above whichever page the wallet returned to. */
export function ReturnedNotice(): ReactElement | null {
  const now = useSyncExternalStore(returned.subscribe, returned.get, returned.get)
  if (!now) return null
  if (now.event) return <Result event={now.event} />
  return (
    <Notice kind={noticeKind(now.error)} title="Your wallet did not do it.">
      {explain(now.error)}
    </Notice>
  )
}
