import { ConnectionProvider, useWallet, WalletProvider } from '@solana/wallet-adapter-react'
import { createRoot } from 'react-dom/client'
import { place, Signer, Wallets } from './page.jsx'

const NONE = []

function Dapp() {
  const { wallets, select, connected, publicKey, signMessage } = useWallet()
  if (connected) return <Signer address={publicKey.toBase58()} sign={signMessage} />
  return <Wallets names={wallets.map(({ adapter }) => adapter.name)} choose={select} />
}
createRoot(place()).render(
  <ConnectionProvider endpoint="http://localhost:1">
    <WalletProvider wallets={NONE} autoConnect>
      <Dapp />
    </WalletProvider>
  </ConnectionProvider>,
)
