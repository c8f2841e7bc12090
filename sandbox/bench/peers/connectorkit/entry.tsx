import { getDefaultConfig } from '@solana/connector/headless'
import { AppProvider, useConnector, useTransactionSigner } from '@solana/connector/react'
import type { AppProps } from '../../harness/page'

const config = getDefaultConfig({ appName: 'bench', autoConnect: false })

function Sign({ onSigned }: Pick<AppProps, 'onSigned'>) {
  const { signer } = useTransactionSigner()
  return (
    <button
      type="button"
      id="sign"
      disabled={!signer?.signMessage}
      onClick={async () => onSigned((await signer?.signMessage?.(new Uint8Array([1])))?.length ?? 0)}
    >
      Sign
    </button>
  )
}

function List({ onRender, useCommit, onSigned }: AppProps) {
  const { connectors, connectWallet, isConnected } = useConnector()
  onRender()
  useCommit(connectors.length)
  if (isConnected) return <Sign onSigned={onSigned} />
  return (
    <ul>
      {connectors.map(({ id, name }) => (
        <li key={id}>
          <button type="button" onClick={() => connectWallet(id)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function App(props: AppProps) {
  return (
    <AppProvider connectorConfig={config}>
      <List {...props} />
    </AppProvider>
  )
}
