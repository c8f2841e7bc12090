/** Lists wallets and signs with our hooks, as a host does: the same work as every other bench entry. */
import { KeybayProvider, useActiveAccount, useConnect, useConnectors, useSignMessage } from '@keybay/react'
import type { ComponentProps } from 'react'
import type { AppProps } from '../../harness/page.js'

function Sign({ onSigned }: AppProps) {
  const { account } = useActiveAccount()
  const { runAsync: sign } = useSignMessage()
  if (!account) return null
  return (
    <button type="button" id="sign" onClick={async () => onSigned((await sign({ message: 'x' })).signature.length)}>
      Sign
    </button>
  )
}

function List({ onRender, useCommit }: AppProps) {
  const connectors = useConnectors()
  const { run: connect } = useConnect()
  onRender()
  useCommit(connectors.length)
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

export function createApp(keybay: ComponentProps<typeof KeybayProvider>['keybay']) {
  return (props: AppProps) => (
    <KeybayProvider keybay={keybay}>
      <List {...props} />
      <Sign {...props} />
    </KeybayProvider>
  )
}
