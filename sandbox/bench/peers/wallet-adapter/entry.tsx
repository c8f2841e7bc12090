import type { Adapter } from '@solana/wallet-adapter-base'
import { ConnectionProvider, useWallet, WalletProvider } from '@solana/wallet-adapter-react'
import { useEffect } from 'react'
import type { AppProps } from '../../harness/page'

const adapters: Adapter[] = []

function List({ onRender, useCommit, onSigned }: AppProps) {
  const { wallets, wallet, select, connect, connected, signMessage } = useWallet()
  onRender()
  useCommit(wallets.length)
  useEffect(() => {
    if (wallet && !connected) connect().catch(console.error)
  }, [wallet, connected, connect])
  if (connected && signMessage)
    return (
      <button type="button" id="sign" onClick={async () => onSigned((await signMessage(new Uint8Array([1]))).length)}>
        Sign
      </button>
    )
  return (
    <ul>
      {wallets.map(({ adapter }) => (
        <li key={adapter.name}>
          <button type="button" onClick={() => select(adapter.name)}>
            {adapter.name}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function App(props: AppProps) {
  return (
    <ConnectionProvider endpoint="http://localhost:1">
      <WalletProvider wallets={adapters}>
        <List {...props} />
      </WalletProvider>
    </ConnectionProvider>
  )
}
