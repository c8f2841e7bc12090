// if waas
import { useAction, useConnection, useKeybay } from '@keybay/react'
import { useEmbeddedWallets } from '@keybay/waas/react'

/** Shows the embedded wallet, which signing in creates and connects. */
export function Wallet() {
  const keybay = useKeybay()
  const { wallets = [], status, error } = useEmbeddedWallets()
  const connection = useConnection('waas')
  const connect = useAction(signal => keybay.connect('waas', undefined, { signal }))
  return (
    <section>
      <h2>Embedded wallet</h2>
      {status === 'none' && <p>Sign in to have a wallet.</p>}
      {wallets.map(({ walletId, accountAddress }) => (
        <p key={walletId}>{accountAddress}</p>
      ))}
      {status !== 'none' && !connection && (
        <button type="button" disabled={connect.status === 'pending'} onClick={() => connect.run()}>
          Use my wallet
        </button>
      )}
      <p role="alert">{error?.message ?? connect.error?.message}</p>
    </section>
  )
}
