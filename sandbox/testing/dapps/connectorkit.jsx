import { getDefaultConfig } from '@solana/connector/headless'
import { AppProvider, useConnector, useTransactionSigner } from '@solana/connector/react'
import { createRoot } from 'react-dom/client'
import { place, Signer, Wallets } from './page.jsx'

const config = getDefaultConfig({ appName: 'dapp', autoConnect: false })

function Dapp() {
  const { connectors, connectWallet, isConnected } = useConnector()
  const { signer } = useTransactionSigner()
  if (isConnected && signer) return <Signer address={signer.address} sign={message => signer.signMessage(message)} />
  const choose = name => connectWallet(connectors.find(one => one.name === name).id)
  return <Wallets names={connectors.map(({ name }) => name)} choose={choose} />
}
createRoot(place()).render(
  <AppProvider connectorConfig={config}>
    <Dapp />
  </AppProvider>,
)
