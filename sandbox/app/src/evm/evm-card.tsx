import { useAction } from '@keybay/react'
import { type ReactElement, useId } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { Notice, noticeKind } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { explain } from '../wording.js'
import { evmChainName, evmChains } from './chains.js'
import type { Evm } from './use-evm.js'

/** Shows and switches the wallet's chain; the wallet prompts the user to add a chain that it does not know. */
function ChainSwitch({ evm: { chain, features } }: { readonly evm: Evm }): ReactElement {
  const id = useId()
  const { run, status, error } = useAction(async (_signal, to: string) => {
    const add = evmChains.find(evmChain => evmChain.chain === to)
    if (add) await features['evm:switchChain']?.switchChain({ chain: add.chain, add })
  })
  const isKnown = evmChains.some(evmChain => evmChain.chain === chain)
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Chain
        </label>
        <select
          id={id}
          className="input"
          value={chain}
          aria-busy={status === 'pending'}
          onChange={event => run(event.target.value)}
        >
          {!isKnown && <option value={chain}>{evmChainName(chain)}</option>}
          {evmChains.map(evmChain => (
            <option key={evmChain.chain} value={evmChain.chain}>
              {evmChain.chainName}
            </option>
          ))}
        </select>
      </div>
      {error && (
        <Notice kind={noticeKind(error)} title="The chain is as it was.">
          {explain(error)}
        </Notice>
      )}
    </>
  )
}

/** Shown instead of a balance, which the sandbox cannot read: it has a Solana node but no EVM node. */
export function EvmCard({ evm }: { readonly evm: Evm }): ReactElement {
  const { address } = evm.account
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>EVM account</h2>
        <span className="tag">{evmChainName(evm.chain)}</span>
      </div>
      <p className="mono break">
        {address} <CopyButton text={address} label="Copy EVM address" />
      </p>
      <ChainSwitch evm={evm} />
      <Notice title="No balance here.">
        This app asks a node of Solana only. What this account has, your wallet shows.
      </Notice>
      <div className="row">
        <Link to="/send" className="button">
          Send
        </Link>
        <Link to="/sign" className="button">
          Sign
        </Link>
      </div>
    </section>
  )
}
