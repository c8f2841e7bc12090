import { isAddress } from '@keybay/solana'
import { type ReactElement, useCallback } from 'react'
import { useChain } from '../chain/use-chain.js'
import { CopyButton } from '../design/copy-button.js'
import { Empty, Skeleton } from '../design/feedback.js'
import { formatCount, shorten } from '../design/format.js'
import { Page } from '../shell/page.js'
import { loadAccount } from './account.js'
import { History } from './history.js'
import { Fact, LoadFailed, Name, Sol } from './parts.js'

const REFRESH_MS = 4000
const LIMIT = 15

function Account({ address }: { readonly address: string }): ReactElement {
  const load = useCallback((url: string, signal: AbortSignal) => loadAccount(url, address, signal), [address])
  const account = useChain(load, REFRESH_MS)
  const { data } = account
  return (
    <section className="card" aria-labelledby="account-summary">
      <div className="card-head">
        <h2 id="account-summary">Account</h2>
        {data && (
          <span className="tag tag-accent">{!data.exists ? 'Unused' : data.isProgram ? 'Program' : 'Account'}</span>
        )}
      </div>
      {account.status === 'failed' && !data && (
        <LoadFailed what="this account" error={account.error} reload={account.reload} />
      )}
      <dl className="facts">
        <Fact name="Address">
          <span className="chain-name">
            <span className="mono">{address}</span>
            <CopyButton text={address} label="Copy address" />
          </span>
        </Fact>
        <Fact name="Balance">{data ? <Sol lamports={data.balance} /> : <Skeleton width={10} />}</Fact>
        {data?.owner !== undefined && (
          <Fact name="Owner">
            <Name kind="address" value={data.owner} />
          </Fact>
        )}
        {data?.exists && <Fact name="Size">{formatCount(data.space)} bytes</Fact>}
      </dl>
    </section>
  )
}

export function AddressPage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page title="Address" tabTitle={`Address ${shorten(address)}`}>
      {isAddress(address) ? (
        <>
          <Account address={address} />
          <section className="card" aria-labelledby="account-history">
            <h2 id="account-history">Transactions</h2>
            <History address={address} limit={LIMIT} />
          </section>
        </>
      ) : (
        <section className="card">
          <Empty icon="alert" title="Not an address">
            A Solana address is 32 to 44 letters and digits. Check that it was copied whole.
          </Empty>
        </section>
      )}
    </Page>
  )
}
