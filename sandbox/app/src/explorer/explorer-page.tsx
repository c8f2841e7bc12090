import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { useChain } from '../chain/use-chain.js'
import { Skeleton } from '../design/feedback.js'
import { formatCount } from '../design/format.js'
import { navigate } from '../routing/router.js'
import { Page } from '../shell/page.js'
import { loadChainState } from './block.js'
import { LoadFailed, Name } from './parts.js'
import { findPath } from './search.js'

/** Polling interval, in ms. */
const REFRESH_MS = 2000

function Search(): ReactElement {
  const id = useId()
  const [query, setQuery] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const path = findPath(query)
    if (path) navigate(path)
    else
      setError(
        query.trim()
          ? 'That is no signature, address or slot number. Check that it was copied whole.'
          : 'Enter a signature, an address or a slot number.',
      )
  }
  return (
    <form className="field" onSubmit={submit} noValidate>
      <label className="field-label" htmlFor={id}>
        Transaction signature, address or slot
      </label>
      <div className="explorer-search">
        <input
          id={id}
          className="input input-mono"
          value={query}
          autoComplete="off"
          spellCheck={false}
          placeholder="5Sj9…"
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error`}
          onChange={event => {
            setQuery(event.target.value)
            setError(undefined)
          }}
        />
        <button type="submit" className="button button-primary">
          Search
        </button>
      </div>
      <p id={`${id}-error`} className="field-error" role="alert">
        {error}
      </p>
    </form>
  )
}

export function ExplorerPage(): ReactElement {
  const state = useChain(loadChainState, REFRESH_MS)
  const { data } = state
  return (
    <Page title="Explorer" lead="Everything on the chain, straight from its node.">
      <search className="card">
        <Search />
      </search>
      <section className="card" aria-labelledby="chain-now">
        <h2 id="chain-now">The chain now</h2>
        {state.status === 'failed' && !data && (
          <LoadFailed what="the chain’s state" error={state.error} reload={state.reload} />
        )}
        <dl className="figures">
          <div>
            <dt>Slot</dt>
            <dd>{data ? <Name kind="block" value={String(data.slot)} /> : <Skeleton width={8} />}</dd>
          </div>
          <div>
            <dt>Block height</dt>
            <dd>{data ? formatCount(data.height) : <Skeleton width={6} />}</dd>
          </div>
          <div>
            <dt>Transactions</dt>
            <dd>
              {data ? (
                data.transactions === undefined ? (
                  'unknown'
                ) : (
                  formatCount(data.transactions)
                )
              ) : (
                <Skeleton width={6} />
              )}
            </dd>
          </div>
          <div>
            <dt>Node</dt>
            <dd>{data ? data.version : <Skeleton width={6} />}</dd>
          </div>
        </dl>
      </section>
    </Page>
  )
}
