import { autoDiscover, createClient } from '@solana/client'
import { SolanaProvider, useWalletConnection } from '@solana/react-hooks'
import type { AppProps } from '../../harness/page'

const client = createClient({ endpoint: 'http://localhost:1', walletConnectors: autoDiscover() })

function List({ onRender, useCommit, onSigned }: AppProps) {
  const { connectors, connect, wallet, status } = useWalletConnection()
  onRender()
  useCommit(connectors.length)
  if (status === 'connected')
    return (
      <button
        type="button"
        id="sign"
        onClick={async () => onSigned((await wallet?.signMessage?.(new Uint8Array([1])))?.length ?? 0)}
      >
        Sign
      </button>
    )
  return (
    <ul>
      {connectors.map(({ id, name }) => (
        <li key={id}>
          <button type="button" onClick={() => connect(id)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function App(props: AppProps) {
  return (
    <SolanaProvider client={client}>
      <List {...props} />
    </SolanaProvider>
  )
}
