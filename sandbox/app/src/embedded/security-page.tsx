import type { WaasWallet } from '@keybay/waas'
import { useWalletPassword } from '@keybay/waas/react'
import { BackupNudge, SecondDevice } from '@keybay/waas/ui'
import { Button, Card, Offer, Problem, useChange } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { DevicesCard } from './devices-card.js'
import { WalletPage } from './own-wallet.js'
import { PolicyCard } from './policy-card.js'
import { hasBackup } from './schemes.js'
import { SharesCard } from './shares-card.js'
import { EvmSignCard, PsbtCard } from './sign-cards.js'
import { DetailsCard, SummaryCard } from './summary-card.js'
import { walletSlots } from './wallet-slots.js'

export function SecurityPage({ address }: { readonly address: string }) {
  const lead = 'What protects this wallet, how you get it back, and which devices and delegates sign with it.'
  return (
    <WalletPage title="Wallet security" address={address} lead={lead} backTo="/wallets" back="All your wallets">
      {wallet => (
        <>
          {wallet.here ? (
            <BackupNudge wallet={wallet} slots={walletSlots} />
          ) : (
            <SecondDevice wallet={wallet} slots={walletSlots} />
          )}
          <SummaryCard wallet={wallet} />
          {wallet.here && wallet.chainName === 'EVM' && <EvmSignCard wallet={wallet} />}
          {wallet.here && wallet.chainName === 'BTC' && <PsbtCard wallet={wallet} />}
          {wallet.here && <RecoveryCard wallet={wallet} />}
          <DevicesCard wallet={wallet} />
          <Advanced wallet={wallet} />
        </>
      )}
    </WalletPage>
  )
}

/** Settings that most users never need, folded away. */
function Advanced({ wallet }: { readonly wallet: WaasWallet }) {
  const { here, chainName, policy } = wallet
  const isSolana = chainName === 'SOL'
  return (
    <details className="fold">
      <summary>
        <div>
          <h2>Advanced</h2>
          <p className="soft small">
            {isSolana ? 'Password, rules, delegates and key shares' : 'Password and key shares'}
          </p>
        </div>
      </summary>
      <div className="stack">
        {here && <PasswordCard wallet={wallet} />}
        {here && isSolana && <PolicyCard key={String(policy?.dailyLimit)} wallet={wallet} />}
        {isSolana && <DelegatesCard wallet={wallet} />}
        <DetailsCard wallet={wallet} />
        {here && <SharesCard wallet={wallet} />}
      </div>
    </details>
  )
}

/** Links to recovering the wallet and exporting its key; each has its own page. */
function RecoveryCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, thresholdSignatureScheme } = wallet
  const canRestore = hasBackup(thresholdSignatureScheme)
  const offer = (says: string, page: string, text: string) => (
    <Offer says={says}>
      <LinkButton to={`/wallets/${accountAddress}/${page}`} small text={text} />
    </Offer>
  )
  return (
    <Card title="Backup and recovery">
      {offer('Back up to a drive or a file, and check the backups that you have.', 'backup', 'Backup')}
      {canRestore && offer('Test your recovery before you need it. Nothing can be lost.', 'drill', 'Test my recovery')}
      {offer('Use the key in another wallet, or keep a copy that needs no service.', 'export', 'Export')}
    </Card>
  )
}

function DelegatesCard({ wallet }: { readonly wallet: WaasWallet }) {
  return (
    <Card title="Delegates">
      <Offer says="Servers that may sign within limits that you set, and transfers on a schedule.">
        <LinkButton to={`/wallets/${wallet.accountAddress}/delegates`} small text="Delegates" />
      </Offer>
    </Card>
  )
}

/** Manages the password that protects this browser's share. The user types it only in the wallet's own window. */
function PasswordCard({ wallet: { accountAddress, passwordEncrypted } }: { readonly wallet: WaasWallet }) {
  const password = useWalletPassword(accountAddress)
  const set = useChange(password.set, 'This browser asks for the password from now on')
  const update = useChange(password.update, 'The password is changed')
  const { busy, error, run } = passwordEncrypted ? update : set
  const tag = (
    <span className={passwordEncrypted ? 'keybay-tag keybay-tag-good' : 'keybay-tag'}>
      {passwordEncrypted ? 'Set' : 'None'}
    </span>
  )
  const text = passwordEncrypted ? 'Change the password' : 'Set a password'
  return (
    <Card title="Password" side={tag}>
      <p className="soft small">
        It locks this browser’s part of the key: signing, new parts and export ask for it. Neither this app nor the
        service sees it. If you forget it, restore the wallet from your backup, which has a password of its own.
      </p>
      <div className="row">
        <Button text={text} busy={busy} onClick={() => run()} />
      </div>
      <Problem title="The password was not changed." error={error} />
    </Card>
  )
}
