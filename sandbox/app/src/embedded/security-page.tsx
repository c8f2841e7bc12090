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
import { SummaryCard } from './summary-card.js'
import { walletSlots } from './wallet-slots.js'

export function SecurityPage({ address }: { readonly address: string }) {
  const lead = 'The holders of its key shares, its rules, and how to change both.'
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
          {wallet.here && <PasswordCard wallet={wallet} />}
          {wallet.here && <SharesCard wallet={wallet} />}
          {wallet.here && wallet.chainName === 'SOL' && (
            <PolicyCard key={String(wallet.policy?.dailyLimit)} wallet={wallet} />
          )}
        </>
      )}
    </WalletPage>
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
    <Card title="If something is lost">
      {offer('See how each part is, back up to a drive or a file, and verify what is there.', 'backup', 'Backup')}
      {canRestore && offer('Test your recovery before you need it. Nothing can be lost.', 'drill', 'Test my recovery')}
      {offer('Take the key to another wallet, or keep a copy for the day without this service.', 'export', 'Export')}
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
        It locks this browser’s part of the key: signing, new parts and export ask for it. Neither this page nor the
        service ever sees it. Your backup has a password of its own, which brings you back if you forget this one.
      </p>
      <div className="row">
        <Button text={text} busy={busy} onClick={() => run()} />
      </div>
      <Problem title="The password was not changed." error={error} />
    </Card>
  )
}
