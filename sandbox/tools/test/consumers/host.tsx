// A small host app: uses only what the packages publish, with every type inferred.
import { type Connection, createKeybay } from '@keybay/kernel'
import { KeybayProvider, useActiveAccount, useConnect, useConnectors } from '@keybay/react'
import { solana } from '@keybay/solana'
import { useBalance } from '@keybay/solana/react'
import { walletStandard } from '@keybay/wallet-standard'
import { createRoot } from 'react-dom/client'

const keybay = createKeybay({ appName: 'Consumer', plugins: [solana({ cluster: 'localnet' }), walletStandard()] })
declare module '@keybay/kernel' {
  interface Register {
    keybay: typeof keybay
  }
}

export function connectFirst(): Promise<Connection | undefined> {
  return keybay.connect('wallet-standard:test').then(result => ('accounts' in result ? result : undefined))
}
export const balance: Promise<bigint> = keybay.solana.getBalance('11111111111111111111111111111111')

function Wallets() {
  const connect = useConnect()
  const { account } = useActiveAccount()
  const { balance: lamports } = useBalance(account?.address)
  const connectors = useConnectors()
  if (account) return <p>{`${account.address}: ${lamports ?? '…'}`}</p>
  return connectors.map(({ id, name }) => (
    <button type="button" key={id} onClick={() => connect.run(id)}>
      {name}
    </button>
  ))
}

const element = document.getElementById('root')
if (element)
  createRoot(element).render(
    <KeybayProvider keybay={keybay}>
      <Wallets />
    </KeybayProvider>,
  )
