import { useConnection } from '@keybay/react'
import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets } from '@keybay/waas/react'
import type { ReactElement } from 'react'
import { UseHere } from '../connect/use-here.js'
import { Empty, Loading, Notice, Skeleton } from '../design/feedback.js'
import { shorten } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { explain } from '../wording.js'
import { chainNames, chainOf } from './chains.js'
import { FrameTag } from './frame-tag.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { schemes } from './schemes.js'

function WalletRow({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, chainName, thresholdSignatureScheme, here, backup } = wallet
  return (
    <li className="item">
      <Glyph name="wallet" size={24} />
      <div className="item-text">
        <p className="item-title mono" title={accountAddress}>
          {shorten(accountAddress, 6)}
        </p>
        <p className="row small">
          {chainName !== 'SOL' && <span className="tag">{chainNames[chainOf(wallet)]}</span>}
          <span className="tag">{schemes[thresholdSignatureScheme].name}</span>
          <span className={here ? 'tag tag-good' : 'tag'}>{here ? 'Signs here' : 'On another device'}</span>
          {backup.state !== 'current' && schemes[thresholdSignatureScheme].holders.includes('backup') && here && (
            <Link to={`/wallets/${accountAddress}/backup`} className="tag tag-bad">
              {backup.state === 'unverified' ? 'Backup not verified' : 'No current backup'}
            </Link>
          )}
        </p>
      </div>
      <div className="item-actions">
        <Link
          to={`/wallets/${accountAddress}`}
          className="button button-small"
          aria-label={`Security of ${shorten(accountAddress, 6)}`}
        >
          Security
        </Link>
      </div>
    </li>
  )
}

function UseThem(): ReactElement | null {
  return useConnection('waas') ? null : (
    <UseHere
      connector="waas"
      says="They are not among the accounts of this app yet."
      action="Use them here"
      failed="They are not connected."
    />
  )
}

function NewOnes(): ReactElement {
  return (
    <div className="row">
      <Link to="/wallets/new" className="button button-primary">
        <Glyph name="plus" size={18} />
        Create a wallet
      </Link>
      <Link to="/wallets/import" className="button">
        Import a key
      </Link>
    </div>
  )
}

function WalletList(): ReactElement {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  return (
    <section className="card" aria-labelledby="own-wallets">
      <div className="card-head">
        <h2 id="own-wallets">Your wallets</h2>
        <FrameTag />
      </div>
      {status === 'error' && error && (
        <Notice kind="bad" title={wallets ? 'This may be out of date.' : 'Your wallets could not be loaded.'}>
          <span>{explain(error)}</span>
          <button type="button" className="button button-small" onClick={() => refresh.run()}>
            Try again
          </button>
        </Notice>
      )}
      {!wallets && status !== 'error' && (
        <p>
          <Skeleton width={24} />
          <Loading what="your wallets" />
        </p>
      )}
      {wallets?.length === 0 && (
        <Empty icon="wallet" title="You have no wallet yet" action={<NewOnes />}>
          Make one in a few seconds, or bring a key that you have.
        </Empty>
      )}
      {wallets && wallets.length > 0 && (
        <>
          <ul className="items" aria-label="Your wallets">
            {wallets.map(wallet => (
              <WalletRow key={wallet.walletId} wallet={wallet} />
            ))}
          </ul>
          <UseThem />
          <NewOnes />
        </>
      )}
    </section>
  )
}

export function WalletsPage(): ReactElement {
  return (
    <Page title="Wallets" width="narrow" lead="Wallets of your account, whose keys no single machine holds.">
      <NeedsSignIn>
        <WalletList />
      </NeedsSignIn>
    </Page>
  )
}
