import { useAction } from '@keybay/react'
import { type ReactElement, useId, useState } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { Notice, noticeKind } from '../design/feedback.js'
import { explain } from '../wording.js'
import { evmChainName } from './chains.js'
import type { Evm } from './use-evm.js'

/** EIP-712 message: the wallet shows its fields by name. */
function letter(chain: string, contents: string) {
  return {
    domain: { name: 'Keybay sandbox', version: '1', chainId: Number(chain.split(':')[1]) },
    primaryType: 'Letter',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Letter: [{ name: 'contents', type: 'string' }],
    },
    message: { contents },
  }
}

/** Signs the same text with `personal_sign` and `eth_signTypedData_v4`. */
export function EvmSignCard({ evm: { account, chain, features } }: { readonly evm: Evm }): ReactElement {
  const { walletAccount } = account
  const [text, setText] = useState('Hello from the Keybay sandbox')
  const id = useId()
  const { run, status, data, error } = useAction(async (_signal, how: 'message' | 'typed data') =>
    how === 'message'
      ? features['evm:signMessage']?.signMessage({ account: walletAccount, message: new TextEncoder().encode(text) })
      : features['evm:signTypedData']?.signTypedData({ account: walletAccount, typedData: letter(chain, text) }),
  )
  const busy = status === 'pending'
  const sign = (how: 'message' | 'typed data') => {
    if (!busy) run(how)
  }
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <h2 id={`${id}-title`}>Sign with your EVM account</h2>
        <span className="tag">{evmChainName(chain)}</span>
      </div>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Text
        </label>
        <textarea id={id} className="input" value={text} onChange={event => setText(event.target.value)} />
      </div>
      <div className="row">
        <button type="button" className="button" aria-disabled={busy} onClick={() => sign('message')}>
          Sign as message
        </button>
        <button type="button" className="button" aria-disabled={busy} onClick={() => sign('typed data')}>
          Sign as typed data
        </button>
        {busy && <span role="status">Waiting for your wallet …</span>}
      </div>
      {error && (
        <Notice kind={noticeKind(error)} title="Not signed.">
          {explain(error)}
        </Notice>
      )}
      {data && (
        <div className="field">
          <span className="field-label" id={`${id}-signature`}>
            EVM signature
            <CopyButton text={data.signature} label="Copy EVM signature" />
          </span>
          <output className="code mono break small" aria-labelledby={`${id}-signature`}>
            {data.signature}
          </output>
        </div>
      )}
    </section>
  )
}
