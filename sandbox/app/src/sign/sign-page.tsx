import { useActiveAccount, useSignMessage } from '@keybay/react'
import bs58 from 'bs58'
import { useState } from 'react'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Button, Card, Output, Page, Problem, TextAreaField } from '../design/index.js'
import { EvmSignCard } from '../evm/evm-actions.js'
import { useEvm } from '../evm/evm-card.js'
import { VerifyCard } from './verify-card.js'

export interface Signed {
  readonly message: string
  /** base58 */
  readonly signature: string
  readonly address: string
}

function SignCard({ onSigned }: { readonly onSigned: (signed: Signed) => void }) {
  const { account } = useActiveAccount()
  const { runAsync, status, error, data } = useSignMessage()
  const [message, setMessage] = useState('Hello from the Keybay sandbox')
  const busy = status === 'pending'
  const sign = () => {
    if (busy || !account) return
    const { address, key } = account
    runAsync({ message, account: key }).then(
      signed => onSigned({ message, address, signature: bs58.encode(signed.signature) }),
      () => {}, // the UI shows `error`
    )
  }
  return (
    <Card title="Sign">
      <TextAreaField label="Message" value={message} change={setMessage} />
      <div className="row">
        <Button kind="primary" text={busy ? 'Waiting for your wallet …' : 'Sign message'} busy={busy} onClick={sign} />
      </div>
      <Problem title="Not signed." error={error} />
      <Output label="Signature" copyLabel="Copy signature" text={data && bs58.encode(data.signature)} />
    </Card>
  )
}

export function SignPage() {
  const { account } = useActiveAccount()
  const evm = useEvm()
  const [signed, setSigned] = useState<Signed>()
  return (
    <Page
      title="Sign and verify"
      width="narrow"
      lead="A signed message proves that you hold the key of an address. It costs nothing and moves nothing."
    >
      {account ? <SignCard onSigned={setSigned} /> : !evm && <NeedsAccount to="sign" />}
      {evm && <EvmSignCard evm={evm} />}
      <VerifyCard key={signed?.signature} signed={signed} />
    </Page>
  )
}
