import { type ReactElement, useCallback } from 'react'
import { useChain } from '../chain/use-chain.js'
import { CopyButton } from '../design/copy-button.js'
import { Empty, Loading, Notice, Skeleton } from '../design/feedback.js'
import { formatCount, formatDate, shorten } from '../design/format.js'
import { Page } from '../shell/page.js'
import { Ago, Fact, LoadFailed, Name, Sol } from './parts.js'
import { type BalanceChange, type Instruction, loadTransaction, type Transaction } from './transaction.js'

/** Polling interval, in ms: a missing transaction may be pending, and `confirmed` becomes `finalized`. */
const REFRESH_MS = 2000

function Summary({
  transaction,
  signature,
}: {
  readonly transaction: Transaction
  readonly signature: string
}): ReactElement {
  const { error, status, slot, time, fee, computeUnits, version } = transaction
  return (
    <section className="card" aria-labelledby="tx-summary">
      <div className="card-head">
        <h2 id="tx-summary">Summary</h2>
        <span className="row">
          <span className={error ? 'tag tag-bad' : 'tag tag-good'}>{error ? 'Failed' : 'Succeeded'}</span>
          <span className="tag tag-accent">{status}</span>
        </span>
      </div>
      {error !== undefined && (
        <Notice kind="bad" title="This transaction failed; its fee was paid all the same.">
          <code className="mono break">{error}</code>
        </Notice>
      )}
      <dl className="facts">
        <Fact name="Signature">
          <span className="chain-name">
            <span className="mono">{signature}</span>
            <CopyButton text={signature} label="Copy signature" />
          </span>
        </Fact>
        <Fact name="Slot">
          <Name kind="block" value={String(slot)} />
        </Fact>
        <Fact name="Time">
          {time === undefined ? (
            'unknown'
          ) : (
            <>
              {formatDate(time)}{' '}
              <span className="soft">
                (<Ago time={time} />)
              </span>
            </>
          )}
        </Fact>
        <Fact name="Fee">
          <Sol lamports={fee} />
        </Fact>
        {computeUnits !== undefined && <Fact name="Compute units">{formatCount(computeUnits)}</Fact>}
        <Fact name="Version">{version}</Fact>
      </dl>
    </section>
  )
}

function Instructions({ instructions }: { readonly instructions: readonly Instruction[] }): ReactElement {
  return (
    <section className="card" aria-labelledby="tx-instructions">
      <h2 id="tx-instructions">Instructions</h2>
      <ol className="instructions">
        {instructions.map(({ program, programId, type, details }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of a transaction never changes
          <li key={index} className="instruction">
            <h3>
              <span className="soft number">{index + 1}</span> {shorten(program, 8)}
              {type !== undefined && <span className="tag tag-accent">{type}</span>}
            </h3>
            <dl className="facts">
              <Fact name="program">
                <Name kind="address" value={programId} />
              </Fact>
              {details.map(([name, value]) => (
                <Fact key={name} name={name}>
                  <span className="mono">{value}</span>
                </Fact>
              ))}
            </dl>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Changes({ changes }: { readonly changes: readonly BalanceChange[] }): ReactElement {
  return (
    <section className="card" aria-labelledby="tx-changes">
      <h2 id="tx-changes">Balance changes</h2>
      <ul className="changes">
        {changes.map(({ address, isSigner, before, after }) => (
          <li key={address}>
            <span>
              <Name kind="address" value={address} short /> {isSigner && <span className="tag">Signer</span>}
            </span>
            <span className="changes-numbers">
              <span className={after > before ? 'change-up' : after < before ? 'change-down' : 'soft'}>
                {after > before && '+'}
                <Sol lamports={after - before} />
              </span>
              <span className="soft small">
                now <Sol lamports={after} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Logs({ logs }: { readonly logs: readonly string[] }): ReactElement {
  return (
    <section className="card" aria-labelledby="tx-logs">
      <div className="card-head">
        <h2 id="tx-logs">Program log</h2>
        <CopyButton text={logs.join('\n')} label="Copy the program log" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="code" tabIndex={0} aria-label="Lines">
        <pre>{logs.length ? logs.join('\n') : 'No program wrote anything.'}</pre>
      </section>
    </section>
  )
}

export function TransactionPage({ signature }: { readonly signature: string }): ReactElement {
  const load = useCallback((url: string, signal: AbortSignal) => loadTransaction(url, signature, signal), [signature])
  const { reload, ...loaded } = useChain(load, REFRESH_MS)
  const { data } = loaded
  return (
    <Page title="Transaction" tabTitle={`Transaction ${shorten(signature)}`}>
      {loaded.status === 'failed' && !data && (
        <LoadFailed what="this transaction" error={loaded.error} reload={reload} />
      )}
      {loaded.status === 'loading' && (
        <section className="card">
          <Loading what="the transaction" />
          <Skeleton width={60} />
          <Skeleton width={30} />
          <Skeleton width={44} />
        </section>
      )}
      {loaded.status === 'ready' && !data && (
        <section className="card">
          <Empty icon="explore" title="Not on this chain">
            No transaction with this signature. It may still be on its way, or be on another network: this page keeps
            looking.
          </Empty>
        </section>
      )}
      {data && (
        <>
          <Summary transaction={data} signature={signature} />
          <Changes changes={data.changes} />
          <Instructions instructions={data.instructions} />
          <Logs logs={data.logs} />
        </>
      )}
    </Page>
  )
}
