// if waas
import { useAction, useConnection, useKeybay } from '@keybay/react'
import { useEmbeddedWallets } from '@keybay/waas/react'

/** Creates the embedded wallet of the signed-in user, and connects it. */
export function Wallet() {
  const keybay = useKeybay()
  const { wallets = [], status, error } = useEmbeddedWallets()
  const connection = useConnection('waas')
  const connect = useAction(async signal => {
    if (wallets.length === 0) await keybay.waas.createWallet({ signal })
    return keybay.connect('waas', undefined, { signal })
  })
  return (
    <section>
      <h2>Embedded wallet</h2>
      {status === 'none' && <p>Sign in to have a wallet.</p>}
      {wallets.map(({ walletId, accountAddress }) => (
        <p key={walletId}>{accountAddress}</p>
      ))}
      {status !== 'none' && !connection && (
        <button type="button" disabled={connect.status === 'pending'} onClick={() => connect.run()}>
          {wallets.length === 0 ? 'Create a wallet' : 'Use this wallet'}
        </button>
      )}
      <p role="alert">{error?.message ?? connect.error?.message}</p>
    </section>
  )
}
