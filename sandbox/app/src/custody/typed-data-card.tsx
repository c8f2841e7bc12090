import type { WalletCredential } from '@keybay/kernel/spec'
import { useTurnkeySignTypedData } from '@keybay/turnkey/react'
import { type ReactElement, useState } from 'react'
import { useChange } from '../account/use-change.js'
import { isJson, NO_JSON, TextForm } from '../sign/text-form.js'

const EXAMPLE = JSON.stringify(
  {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'contents', type: 'string' }] },
    primaryType: 'Mail',
    domain: { name: 'Keybay sandbox' },
    message: { contents: 'Hello' },
  },
  null,
  2,
)
/** Signs typed data (EIP-712), which Ethereum apps use instead of plain text. */
export function TypedDataCard({ wallets }: { readonly wallets: readonly WalletCredential[] }): ReactElement | null {
  const address = wallets.find(({ chain }) => chain === 'EVM')?.address
  const [text, setText] = useState(EXAMPLE)
  const action = useTurnkeySignTypedData()
  const sign = useChange(action, undefined)
  if (address === undefined) return null
  return (
    <section className="card" aria-labelledby="typed-data">
      <h2 id="typed-data">Sign typed data</h2>
      <TextForm
        label="Typed data, as JSON"
        text={text}
        change={setText}
        check={text => (isJson(text) ? undefined : NO_JSON)}
        sign={text => sign.run(address, text)}
        action="Sign typed data"
        primary={false}
        busy={sign.busy}
        error={sign.error}
        signed={action.data}
        signedLabel="Signature of the Ethereum account"
        copyLabel="Copy signature"
      />
    </section>
  )
}
