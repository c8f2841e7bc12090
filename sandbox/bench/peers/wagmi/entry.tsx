import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createConfig, http, useConnect, useConnection, useConnectors, useSignMessage, WagmiProvider } from 'wagmi'
import { mainnet } from 'wagmi/chains'
import type { AppProps } from '../../harness/page'

const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http('http://localhost:1') } })
const queries = new QueryClient()

function List({ onRender, useCommit, onSigned }: AppProps) {
  const connectors = useConnectors()
  const { mutate: connect } = useConnect()
  const { isConnected } = useConnection()
  const { mutate: signMessage } = useSignMessage()
  onRender()
  useCommit(connectors.length)
  if (isConnected)
    return (
      <button
        type="button"
        id="sign"
        onClick={() => signMessage({ message: 'x' }, { onSuccess: signature => onSigned(signature.length) })}
      >
        Sign
      </button>
    )
  return (
    <ul>
      {connectors.map(connector => (
        <li key={connector.uid}>
          <button type="button" onClick={() => connect({ connector })}>
            {connector.name}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function App(props: AppProps) {
  return (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={queries}>
        <List {...props} />
      </QueryClientProvider>
    </WagmiProvider>
  )
}
