/** Lists of the user's wallets: all of them, and those to restore in this browser. */
import { shorten } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets } from '@keybay/waas/react'
import type { ReactNode } from 'react'
import { UseHere, useIsInUse } from '../connect/connect-provider.js'
import { Card, Empty, Failure, Glyph, Item, Loading, Page } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { BadgeLink } from './account-nudge.js'
import { FrameTag } from './frame-tag.js'
import { NeedsSignIn } from './own-wallet.js'
import { chainNames, chainOf, hasBackup, schemes } from './schemes.js'

function Row({ address, actions, children }: { address: string; actions: ReactNode; children: ReactNode }) {
  return (
    <Item mark={<Glyph name="wallet" size={24} />} actions={actions}>
      <p className="keybay-item-title mono" title={address}>
        {shorten(address)}
      </p>
      {children}
    </Item>
  )
}

function WalletRow({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, chainName, thresholdSignatureScheme, here } = wallet
  const to = `/wallets/${accountAddress}`
  const short = shorten(accountAddress)
  const action = here ? (
    <LinkButton to={to} small text="Security" aria-label={`Security of ${short}`} />
  ) : (
    <LinkButton to={to} kind="primary" small text="Add this browser" aria-label={`Add this browser to ${short}`} />
  )
  return (
    <Row address={accountAddress} actions={action}>
      <p className="row small">
        {chainName !== 'SOL' && <span className="keybay-tag">{chainNames[chainOf(wallet)]}</span>}
        <span className="keybay-tag">{schemes[thresholdSignatureScheme].name}</span>
        <span className={here ? 'keybay-tag keybay-tag-good' : 'keybay-tag'}>
          {here ? 'Signs here' : 'On another device'}
        </span>
        <BadgeLink wallet={wallet} />
      </p>
    </Row>
  )
}

function UseThem() {
  const says = 'They are not among the accounts of this app yet.'
  return useIsInUse('waas') ? null : (
    <UseHere connector="waas" says={says} action="Use them here" failed="They are not connected." />
  )
}

/** @param isFirst the user has no wallet yet; otherwise another wallet is rarely what the user wants */
function NewOnes({ isFirst = false }: { readonly isFirst?: boolean }) {
  return (
    <div className="row">
      <LinkButton to="/wallets/new" {...(isFirst && { kind: 'primary' })} icon="plus" text="Create a wallet" />
      <LinkButton to="/wallets/import" text="Import a key" />
    </div>
  )
}

function WalletList() {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  const failed = wallets ? 'This may be out of date.' : 'Your wallets could not be loaded.'
  return (
    <Card title="Your wallets" side={<FrameTag />}>
      {status === 'error' && error && <Failure title={failed} error={error} retry={refresh.run} />}
      {!wallets && status !== 'error' && <Loading what="your wallets" widths={[24]} />}
      {wallets?.length === 0 && (
        <Empty icon="wallet" title="You have no wallet yet" action={<NewOnes isFirst />}>
          Make one in a few seconds, or bring a key that you have.
        </Empty>
      )}
      {wallets && wallets.length > 0 && (
        <>
          <ul className="keybay-items" aria-label="Your wallets">
            {wallets.map(wallet => (
              <WalletRow key={wallet.walletId} wallet={wallet} />
            ))}
          </ul>
          {wallets.some(({ here }) => here) && <UseThem />}
          <NewOnes />
        </>
      )}
    </Card>
  )
}

export function WalletsPage() {
  return (
    <Page title="Wallets" width="narrow" lead="Wallets of your account, whose keys no single machine holds.">
      <NeedsSignIn>
        <WalletList />
      </NeedsSignIn>
    </Page>
  )
}

function ElsewhereRow({ wallet: { accountAddress, thresholdSignatureScheme } }: { readonly wallet: WaasWallet }) {
  const canRestore = hasBackup(thresholdSignatureScheme)
  const to = `/wallets/${accountAddress}${canRestore ? '/restore' : ''}`
  const label = `${canRestore ? 'Restore' : 'Look at'} ${shorten(accountAddress)}`
  const link = <LinkButton to={to} small text={canRestore ? 'Restore' : 'Look at it'} aria-label={label} />
  return (
    <Row address={accountAddress} actions={link}>
      <p className="soft small">
        {canRestore
          ? schemes[thresholdSignatureScheme].name
          : 'Two of two, without a backup: only the device that has it can let this one in'}
      </p>
    </Row>
  )
}

function Elsewhere() {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  const elsewhere = wallets?.filter(({ here }) => !here)
  const toWallets = <LinkButton to="/wallets" kind="primary" text="To your wallets" />
  return (
    <Card title="Wallets that are not in this browser">
      {status === 'error' && error && (
        <Failure title="Your wallets could not be loaded." error={error} retry={refresh.run} />
      )}
      {!wallets && status !== 'error' && <Loading what="your wallets" />}
      {elsewhere?.length === 0 && (
        <Empty icon="check" title="Nothing is missing here" action={toWallets}>
          This browser signs for every wallet of yours.
        </Empty>
      )}
      {elsewhere && elsewhere.length > 0 && (
        <ul className="keybay-items" aria-label="Wallets to restore">
          {elsewhere.map(wallet => (
            <ElsewhereRow key={wallet.walletId} wallet={wallet} />
          ))}
        </ul>
      )}
    </Card>
  )
}

export function LostDevicePage() {
  const lead =
    'Sign in as always. Then your backup brings each wallet into this browser, and the lost one can be shut out.'
  return (
    <Page title="I lost my device" width="narrow" lead={lead}>
      <NeedsSignIn>
        <Elsewhere />
      </NeedsSignIn>
    </Page>
  )
}
