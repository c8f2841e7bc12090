import { shorten } from '@keybay/kernel/spec'
import { useCallback } from 'react'
import { LoadFailed } from '../chain/load-failed.js'
import { useChain } from '../chain/use-loaded.js'
import { Card, CopyButton, Empty, Fact, formatCount, formatDate, Loading, Notice, Page } from '../design/index.js'
import { tokenText } from '../tokens/demo-tokens.js'
import { Ago, Identifier, Name, Sol, TokenAmount } from './parts.js'
import { isSignature } from './search.js'
import { loadTransaction, type Transaction } from './transaction.js'

/** Polling interval, in ms: a missing transaction may be pending, and `confirmed` becomes `finalized`. */
const REFRESH_MS = 2000

function Summary({ transaction, signature }: { readonly transaction: Transaction; readonly signature: string }) {
  const { error, status, slot, time, fee, computeUnits, version } = transaction
  const tags = (
    <span className="row">
      <span className={error ? 'keybay-tag keybay-tag-bad' : 'keybay-tag keybay-tag-good'}>
        {error ? 'Failed' : 'Succeeded'}
      </span>
      <span className="keybay-tag keybay-tag-accent">{status}</span>
    </span>
  )
  return (
    <Card title="Summary" side={tags}>
      {error !== undefined && (
        <Notice kind="bad" title="This transaction failed. Its fee was still paid.">
          <code className="mono break">{error}</code>
        </Notice>
      )}
      <dl className="keybay-facts">
        <Fact name="Signature">
          <Identifier text={signature} label="Copy signature" />
        </Fact>
        <Fact name="Slot">
          <Name kind="block" value={String(slot)} />
        </Fact>
        <Fact name="Time">
          {time !== undefined && `${formatDate(time)} · `}
          <Ago time={time} />
        </Fact>
        <Fact name="Fee">
          <Sol lamports={fee} />
        </Fact>
        {computeUnits !== undefined && <Fact name="Compute units">{formatCount(computeUnits)}</Fact>}
        <Fact name="Version">{version}</Fact>
      </dl>
    </Card>
  )
}

function Instructions({ instructions }: Pick<Transaction, 'instructions'>) {
  return (
    <Card title="Instructions">
      <ol className="stack">
        {instructions.map(({ program, programId, type, details }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of a transaction never changes
          <li key={index} className="instruction">
            <h3 className="row">
              <span className="soft number">{index + 1}</span> {program === programId ? shorten(program) : program}
              {type !== undefined && <span className="keybay-tag keybay-tag-accent">{type}</span>}
            </h3>
            <dl className="keybay-facts">
              <Fact name="program">
                <Name kind="address" value={programId} />
              </Fact>
              {details.map(([name, value]) => (
                <Fact key={name} name={name} className="mono">
                  {value}
                </Fact>
              ))}
            </dl>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Changes({ changes, tokenChanges }: Pick<Transaction, 'changes' | 'tokenChanges'>) {
  return (
    <Card title="Balance changes">
      <ul className="changes">
        {tokenChanges.map(change => (
          <li key={change.account}>
            <Name kind="address" value={change.owner} short />
            <span className="changes-numbers">
              <TokenAmount change={change} />
              <span className="soft small">now {tokenText(change.after, change)}</span>
            </span>
          </li>
        ))}
        {changes
          .filter(({ before, after }) => before !== after)
          .map(({ address, isSigner, before, after }) => (
            <li key={address}>
              <span>
                <Name kind="address" value={address} short /> {isSigner && <span className="keybay-tag">Signer</span>}
              </span>
              <span className="changes-numbers">
                <span className={after > before ? 'change-up' : 'change-down'}>
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
    </Card>
  )
}

function Logs({ logs }: Pick<Transaction, 'logs'>) {
  const text = logs.join('\n')
  return (
    <Card title="Program log" side={<CopyButton text={text} label="Copy the program log" />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="code" tabIndex={0} aria-label="Lines">
        <pre>{text || 'No program wrote anything.'}</pre>
      </section>
    </Card>
  )
}

export function TransactionPage({ signature }: { readonly signature: string }) {
  if (isSignature(signature)) return <LoadedTransaction signature={signature} />
  return (
    <Page title="Transaction" tabTitle={`Transaction ${shorten(signature)}`}>
      <section className="keybay-card">
        <Empty icon="alert" title="Not a signature">
          A transaction’s signature is 64 to 88 letters and digits. Check that it was copied whole.
        </Empty>
      </section>
    </Page>
  )
}

function LoadedTransaction({ signature }: { readonly signature: string }) {
  const load = useCallback((url: string, signal: AbortSignal) => loadTransaction(url, signature, signal), [signature])
  const { status, data, error, reload } = useChain(load, REFRESH_MS)
  return (
    <Page title="Transaction" tabTitle={`Transaction ${shorten(signature)}`}>
      {status === 'failed' && !data && <LoadFailed what="this transaction" error={error} reload={reload} />}
      {!data && status !== 'failed' && (
        <section className="keybay-card">
          {status === 'loading' ? (
            <Loading what="the transaction" widths={[60, 30, 44]} />
          ) : (
            <Empty icon="explore" title="Not on this chain">
              No transaction with this signature. It may still be on its way, or be on another network: this page keeps
              looking.
            </Empty>
          )}
        </section>
      )}
      {data && (
        <>
          <Summary transaction={data} signature={signature} />
          <Changes changes={data.changes} tokenChanges={data.tokenChanges} />
          <Instructions instructions={data.instructions} />
          <Logs logs={data.logs} />
        </>
      )}
    </Page>
  )
}
