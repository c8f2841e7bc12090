import { shorten } from '@keybay/kernel/spec'
import { isAddress } from '@keybay/solana'
import { useCallback } from 'react'
import { LoadFailed } from '../chain/load-failed.js'
import { at, callChain, number, text } from '../chain/rpc.js'
import { useChain } from '../chain/use-loaded.js'
import { Card, Empty, Fact, formatCount, Page, Skeleton } from '../design/index.js'
import { History } from './history.js'
import { Identifier, Name, Sol } from './parts.js'

const REFRESH_MS = 4000

/** @throws ChainError */
async function loadAccount(url: string, address: string, signal: AbortSignal) {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const account = at(await callChain(url, 'getAccountInfo', [address, options], signal), 'value')
  return {
    exists: account !== null && account !== undefined,
    lamports: number(at(account, 'lamports')) ?? 0,
    owner: text(at(account, 'owner')),
    isProgram: at(account, 'executable') === true,
    bytes: number(at(account, 'space')) ?? 0,
  }
}

function Account({ address }: { readonly address: string }) {
  const load = useCallback((url: string, signal: AbortSignal) => loadAccount(url, address, signal), [address])
  const { status, data, error, reload } = useChain(load, REFRESH_MS)
  const kind = !data?.exists ? 'Unused' : data.isProgram ? 'Program' : 'Account'
  return (
    <Card title="Account" side={data && <span className="keybay-tag keybay-tag-accent">{kind}</span>}>
      {status === 'failed' && !data && <LoadFailed what="this account" error={error} reload={reload} />}
      <dl className="keybay-facts">
        <Fact name="Address">
          <Identifier text={address} label="Copy address" />
        </Fact>
        <Fact name="Balance">{data ? <Sol lamports={data.lamports} /> : <Skeleton width={10} />}</Fact>
        {data?.owner !== undefined && (
          <Fact name="Owner">
            <Name kind="address" value={data.owner} />
          </Fact>
        )}
        {data?.exists && <Fact name="Size">{formatCount(data.bytes)} bytes</Fact>}
      </dl>
    </Card>
  )
}

export function AddressPage({ address }: { readonly address: string }) {
  return (
    <Page title="Address" tabTitle={`Address ${shorten(address)}`}>
      {isAddress(address) ? (
        <>
          <Account address={address} />
          <Card title="Transactions">
            <History address={address} limit={15} />
          </Card>
        </>
      ) : (
        <section className="keybay-card">
          <Empty icon="alert" title="Not an address">
            A Solana address is 32 to 44 letters and digits. Check that it was copied whole.
          </Empty>
        </section>
      )}
    </Page>
  )
}
