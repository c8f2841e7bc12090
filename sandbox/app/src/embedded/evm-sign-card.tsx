import type { WaasWallet } from '@keybay/waas'
import { type ReactElement, useId, useState } from 'react'
import { useChange } from '../account/use-change.js'
import { isJson, NO_JSON, TextForm } from '../sign/text-form.js'
import { type Option, OptionCards } from './option-cards.js'
import { type EvmContent, useSignEvm } from './use-sign-own.js'

const EXAMPLES: { readonly [K in EvmContent]: string } = {
  message: 'Hello from the Keybay sandbox',
  'typed data': JSON.stringify(
    {
      types: { Letter: [{ name: 'contents', type: 'string' }] },
      primaryType: 'Letter',
      domain: { name: 'Keybay sandbox', chainId: 1 },
      message: { contents: 'Hello' },
    },
    null,
    2,
  ),
}
const KINDS: readonly Option<EvmContent>[] = [
  { value: 'message', name: 'A message', says: <p>Plain text (EIP-191).</p> },
  { value: 'typed data', name: 'Typed data', says: <p>Fields with names, as apps ask for (EIP-712), in JSON.</p> },
]
/** Signs with an embedded EVM account; the wallet's own window shows the content. */
export function EvmSignCard({ wallet: { accountAddress } }: { readonly wallet: WaasWallet }): ReactElement {
  const [kind, chooseKind] = useState<EvmContent>('message')
  const [texts, setTexts] = useState(EXAMPLES)
  const id = useId()
  const action = useSignEvm(accountAddress)
  const sign = useChange(action, undefined)
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>Sign</h2>
      <TextForm
        label={kind === 'message' ? 'Message' : 'Typed data, as JSON'}
        text={texts[kind]}
        change={text => setTexts({ ...texts, [kind]: text })}
        check={text => (kind === 'message' || isJson(text) ? undefined : NO_JSON)}
        sign={text => sign.run(kind, text)}
        action={`Sign ${kind}`}
        busy={sign.busy}
        error={sign.error}
        signed={action.data}
        signedLabel="Signature of the Ethereum account"
        copyLabel="Copy signature"
      >
        <OptionCards
          legend="What to sign"
          options={KINDS}
          value={kind}
          disabled={sign.busy}
          choose={next => {
            chooseKind(next)
            action.reset()
          }}
        />
      </TextForm>
    </section>
  )
}
