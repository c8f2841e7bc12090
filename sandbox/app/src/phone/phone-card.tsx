import { useAction, useActiveAccount, useKeybay } from '@keybay/react'
import { parseSol } from '@keybay/solana'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { explain } from '../wording.js'
import { openPhoneWindow } from './phone-window.js'

/** Features without a button elsewhere: signing without sending, signing several at once, and sending by the wallet. */
export function PhoneCard(): ReactElement {
  const { solana, connectors } = useKeybay()
  const { account } = useActiveAccount()
  const { run, error } = useAction(async (_signal, count: number, send: boolean) => {
    const connector = account && connectors.get(account.connectorId)
    if (!account || connector?.kind !== 'wallet') return
    const { build } = await solana.steps()
    const transfers = Array.from({ length: count }, (_, index) => ({
      to: account.address,
      lamports: parseSol('0.001') * BigInt(index + 1),
    }))
    const built = await Promise.all(transfers.map(transfer => build(transfer)))
    const chain = 'solana:localnet' as const
    const inputs = built.map(({ transaction }) => ({ account: account.walletAccount, transaction, chain }))
    const { features } = connector.wallet
    if (send) await features['solana:signAndSendTransaction']?.signAndSendTransaction(...inputs)
    else await features['solana:signTransaction']?.signTransaction(...inputs)
  })
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>A wallet on this phone</h2>
        <p className="soft">
          On a phone, Phantom and Solflare are reached by leaving this page. What they sign comes back with them.
          Without a phone, open one in a window, and connect there.
        </p>
        {error && (
          <Notice kind="bad" title="Not signed.">
            {explain(error)}
          </Notice>
        )}
      </div>
      <div className="stack">
        <button type="button" className="button" onClick={openPhoneWindow}>
          Open a phone in a window
        </button>
        <button type="button" className="button" disabled={!account} onClick={() => run(1, false)}>
          Sign a transaction
        </button>
        <button type="button" className="button" disabled={!account} onClick={() => run(2, false)}>
          Sign two transactions
        </button>
        <button type="button" className="button" disabled={!account} onClick={() => run(1, true)}>
          Sign and send
        </button>
      </div>
    </li>
  )
}
