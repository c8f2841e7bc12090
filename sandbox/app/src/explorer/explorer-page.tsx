import { type FormEvent, type ReactNode, useState } from 'react'
import { LoadFailed } from '../chain/load-failed.js'
import { at, callChain, number, text } from '../chain/rpc.js'
import { useChain } from '../chain/use-loaded.js'
import { Button, Card, Fact, formatCount, Page, Skeleton, TextField } from '../design/index.js'
import { navigate } from '../routing/router.js'
import { Name } from './parts.js'
import { RecentBlocks } from './recent-blocks.js'
import { findPath } from './search.js'

/** Polling interval, in ms. */
const REFRESH_MS = 2000

/** @throws ChainError */
async function loadChainState(url: string, signal: AbortSignal) {
  const [epoch, version] = await Promise.all([
    callChain(url, 'getEpochInfo', [{ commitment: 'confirmed' }], signal),
    callChain(url, 'getVersion', [], signal),
  ])
  return {
    slot: number(at(epoch, 'absoluteSlot')) ?? 0,
    height: number(at(epoch, 'blockHeight')) ?? 0,
    transactions: number(at(epoch, 'transactionCount')),
    version: text(at(version, 'solana-core')) ?? 'unknown',
  }
}

function Search() {
  const [query, setQuery] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const path = findPath(query)
    if (path) return navigate(path)
    const isEmpty = !query.trim()
    setError(
      isEmpty
        ? 'Enter a signature, an address or a slot number.'
        : 'That is no signature, address or slot number. Check that it was copied whole.',
    )
  }
  const change = (text: string) => {
    setQuery(text)
    setError(undefined)
  }
  return (
    <form className="explorer-search" onSubmit={submit} noValidate>
      <TextField
        label="Transaction signature, address or slot"
        error={error}
        mono
        placeholder="5Sj9…"
        value={query}
        change={change}
      />
      <Button type="submit" kind="primary" text="Search" />
    </form>
  )
}

export function ExplorerPage() {
  const { status, data, error, reload } = useChain(loadChainState, REFRESH_MS)
  const transactions = data?.transactions === undefined ? 'unknown' : formatCount(data.transactions)
  const show = (value: ReactNode) => (data ? value : <Skeleton width={6} />)
  return (
    <Page title="Explorer" lead="Everything on the chain, straight from its node.">
      <search className="keybay-card">
        <Search />
      </search>
      <Card title="The chain now">
        {status === 'failed' && !data && <LoadFailed what="the chain’s state" error={error} reload={reload} />}
        <dl className="figures">
          <Fact name="Slot">{show(<Name kind="block" value={String(data?.slot)} />)}</Fact>
          <Fact name="Block height">{show(data && formatCount(data.height))}</Fact>
          <Fact name="Transactions">{show(transactions)}</Fact>
          <Fact name="Node">{show(data?.version)}</Fact>
        </dl>
      </Card>
      <RecentBlocks />
    </Page>
  )
}
