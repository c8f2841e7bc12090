import type { Hex } from '@keybay/browser-extension'
import { useAction } from '@keybay/react'
import { type FormEvent, useId, useState } from 'react'
import { Button, Card, Notice, Output, Problem, TextAreaField, TextField } from '../design/index.js'
import { type Evm, evmChainName, evmSymbol } from './evm-card.js'

const DECIMALS = 18

function isAddress(text: string): text is Hex {
  return /^0x[0-9a-f]{40}$/i.test(text)
}
/** @returns wei; undefined when the text is not an amount */
function readWei(text: string): bigint | undefined {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(DECIMALS, '0'))
}

/** Sends through the wallet and waits at most three minutes for the transaction to be included in a block. */
export function EvmSendCard({ evm: { account, chain, features } }: { readonly evm: Evm }) {
  const id = useId()
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('')
  const [isTried, setTried] = useState(false)
  const [hash, setHash] = useState<string>()
  const { run, status, data, error } = useAction(async (signal, recipient: Hex, value: bigint) => {
    setHash(undefined)
    const send = features['evm:sendTransaction']
    return send?.sendTransaction({
      account: account.walletAccount,
      transaction: { to: recipient, value },
      chain,
      onSent: setHash,
      signal,
    })
  })
  const recipient = to.trim()
  const value = readWei(amount)
  const busy = status === 'pending'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!busy && isAddress(recipient) && value !== undefined) run(recipient, value)
  }
  return (
    <Card title="Send with your EVM account" side={<span className="keybay-tag">{evmChainName(chain)}</span>}>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField
          id={`${id}-to`}
          label="Recipient"
          error={isTried && !isAddress(recipient) ? 'An EVM address begins with 0x.' : undefined}
          mono
          value={to}
          placeholder="EVM address"
          change={setTo}
        />
        <TextField
          id={`${id}-amount`}
          label="EVM amount"
          error={isTried && value === undefined ? 'Write an amount, for example 0.01.' : undefined}
          unit={evmSymbol(chain)}
          value={amount}
          placeholder="0.0"
          change={setAmount}
        />
        <Button
          wide
          text={busy ? (hash ? 'Waiting for a block …' : 'Waiting for your wallet …') : 'Send by your wallet'}
          type="submit"
          busy={busy}
        />
      </form>
      {busy && hash && (
        <Notice title="Sent.">
          It may take up to three minutes until it is in a block. <span className="mono break small">{hash}</span>
        </Notice>
      )}
      <Problem title={hash ? 'Sent, but not done.' : 'Not sent.'} error={error}>
        {hash && <span className="mono break small">{hash}</span>}
      </Problem>
      {data && (
        <Notice kind="good" title={`In block ${Number(data.blockNumber)}.`}>
          <span className="mono break small">{data.transactionHash}</span>
        </Notice>
      )}
    </Card>
  )
}

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
export function EvmSignCard({ evm: { account, chain, features } }: { readonly evm: Evm }) {
  const { walletAccount } = account
  const [text, setText] = useState('Hello from the Keybay sandbox')
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
    <Card title="Sign with your EVM account" side={<span className="keybay-tag">{evmChainName(chain)}</span>}>
      <TextAreaField label="Text" value={text} change={setText} />
      <div className="row">
        <Button text="Sign as message" busy={busy} onClick={() => sign('message')} />
        <Button text="Sign as typed data" busy={busy} onClick={() => sign('typed data')} />
        {busy && <span role="status">Waiting for your wallet …</span>}
      </div>
      <Problem title="Not signed." error={error} />
      <Output label="EVM signature" copyLabel="Copy EVM signature" text={data?.signature} />
    </Card>
  )
}
