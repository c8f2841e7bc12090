import type { Hex } from '@keybay/browser-extension'
import { useAction } from '@keybay/react'
import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { Notice, noticeKind } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { explain } from '../wording.js'
import { evmChainName, evmSymbol } from './chains.js'
import type { Evm } from './use-evm.js'

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
export function EvmSendCard({ evm: { account, chain, features } }: { readonly evm: Evm }): ReactElement {
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
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>Send with your EVM account</h2>
        <span className="tag">{evmChainName(chain)}</span>
      </div>
      <form className="stack" onSubmit={submit} noValidate>
        <Field
          id={`${id}-to`}
          label="Recipient"
          error={isTried && !isAddress(recipient) ? 'An EVM address begins with 0x.' : undefined}
        >
          {aria => (
            <input
              {...aria}
              className="input input-mono"
              value={to}
              autoComplete="off"
              spellCheck={false}
              placeholder="EVM address"
              onChange={event => setTo(event.target.value)}
            />
          )}
        </Field>
        <Field
          id={`${id}-amount`}
          label="EVM amount"
          error={isTried && value === undefined ? 'Write an amount, for example 0.01.' : undefined}
        >
          {aria => (
            <div className="input-unit">
              <input
                {...aria}
                className="input number"
                inputMode="decimal"
                autoComplete="off"
                value={amount}
                placeholder="0.0"
                onChange={event => setAmount(event.target.value)}
              />
              <div>{evmSymbol(chain)}</div>
            </div>
          )}
        </Field>
        <button type="submit" className="button button-wide" aria-disabled={busy}>
          {busy ? (hash ? 'Waiting for a block …' : 'Waiting for your wallet …') : 'Send by your wallet'}
        </button>
      </form>
      {busy && hash && (
        <Notice title="Sent.">
          It may take up to three minutes until it is in a block. <span className="mono break small">{hash}</span>
        </Notice>
      )}
      {error && (
        <Notice kind={noticeKind(error)} title={hash ? 'Sent, but not done.' : 'Not sent.'}>
          {explain(error)} {hash && <span className="mono break small">{hash}</span>}
        </Notice>
      )}
      {data && (
        <Notice kind="good" title={`In block ${Number(data.blockNumber)}.`}>
          <span className="mono break small">{data.transactionHash}</span>
        </Notice>
      )}
    </section>
  )
}
