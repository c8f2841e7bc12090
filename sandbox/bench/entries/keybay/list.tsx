/** The list, as a host writes it with our hooks: what every entry of the bench does, and nothing more. */
import { useActiveAccount, useConnect, useConnectors, useSignMessage } from '@keybay/react'
import type { AppProps } from '../../harness/page.js'

const message = new Uint8Array([1])

const Sign = ({ onSigned }: Pick<AppProps, 'onSigned'>) => {
  const { runAsync: sign } = useSignMessage()
  return (
    <button type="button" id="sign" onClick={async () => onSigned((await sign({ message })).signature.length)}>
      Sign
    </button>
  )
}

export const List = ({ onRender, useCommit, onSigned }: AppProps) => {
  const connectors = useConnectors()
  const { run: connect } = useConnect()
  const account = useActiveAccount()
  onRender()
  useCommit(connectors.length)
  if (account) return <Sign onSigned={onSigned} />
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
