import type { BackupProvider } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { useWalletBackup } from '@keybay/waas/react'
import { BackUpNow, needsBackup, SigningStatus } from '@keybay/waas/ui'
import { useState } from 'react'
import { Button, Card, formatMoment, Glyph, type GlyphName, Notice, Problem, useChange } from '../design/index.js'
import { backupProviders, providerInSentence } from './backup-notes.js'
import { WalletPage } from './own-wallet.js'
import { OptionCards } from './parts.js'
import { hasBackup, ownsPrimary, type Place, places, schemes } from './schemes.js'

type Health = 'good' | 'bad' | 'unknown'
const marks: { readonly [H in Health]: { readonly icon: GlyphName; readonly text: string } } = {
  good: { icon: 'check', text: 'In order: ' },
  bad: { icon: 'close', text: 'Missing: ' },
  unknown: { icon: 'info', text: 'Not known: ' },
}

/** Returns the health of each share, as text and as an icon. */
function getHealth({ here, backup }: WaasWallet, place: Place): { readonly health: Health; readonly says: string } {
  if (place === 'device')
    return here ? { health: 'good', says: 'In this browser.' } : { health: 'unknown', says: 'On another device.' }
  if (place !== 'backup') return { health: 'good', says: 'Kept, and signs with you.' }
  const where = backup.providers.map(providerInSentence).join(' and ')
  const when = backup.backedUpAt === undefined ? '' : ` Checked ${formatMoment(backup.backedUpAt)}.`
  switch (backup.state) {
    case 'current':
      return { health: 'good', says: `Stored in ${where}.${when}` }
    case 'stale':
      return { health: 'bad', says: 'Only an older one, which no longer restores.' }
    case 'unverified':
      return { health: 'unknown', says: 'There may be one, made by another device. Verify it below.' }
    case 'none':
      return { health: 'bad', says: 'Nowhere yet. Without it, a lost device is a lost wallet.' }
  }
}

function Part({ wallet, place }: { readonly wallet: WaasWallet; readonly place: Place }) {
  const { health, says } = getHealth(wallet, place)
  const { icon, text } = marks[health]
  return (
    <li className={`backup-part backup-part-${health}`}>
      <Glyph name={places[place].icon} size={28} />
      <strong>{places[place].name}</strong>
      <span className="backup-mark">
        <Glyph name={icon} size={16} />
        <span className="visually-hidden">{text}</span>
      </span>
      <span className="soft small">{says}</span>
    </li>
  )
}

function PartsCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { threshold, holders } = schemes[wallet.thresholdSignatureScheme]
  return (
    <Card title="How the parts are">
      <p className="soft small">{`Any ${threshold} of ${holders.length} parts sign; as long as so many are left, nothing is lost.`}</p>
      <ul className="backup-parts" aria-label="Parts of the key">
        {[...new Set(holders)].map(place => (
          <Part key={place} wallet={wallet} place={place} />
        ))}
      </ul>
      {!hasBackup(wallet.thresholdSignatureScheme) && (
        <Notice kind="warn" title="This wallet has no part for a backup.">
          It has two parts, on this device and at the service. If either is lost, so is the wallet.
        </Notice>
      )}
    </Card>
  )
}

interface PasskeyChoiceProps {
  readonly checked: boolean
  readonly disabled: boolean
  choose(checked: boolean): void
}
function PasskeyChoice({ checked, disabled, choose }: PasskeyChoiceProps) {
  return (
    <div className="stack-tight">
      <label className="row small">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-describedby="by-passkey"
          onChange={({ target }) => choose(target.checked)}
        />
        Use a passkey in place of a recovery code
      </label>
      <p id="by-passkey" className="soft small">
        There is nothing to write down: it opens in the wallet’s window, wherever that passkey is. On a device that
        cannot do it you get a code.
      </p>
    </div>
  )
}

/**
 * Offers a first backup in one step, and other places and secrets below. The choice of cards stays while the page is open:
 * a verification that finds no backup must still show its error.
 */
function BackupCards({ wallet }: { readonly wallet: WaasWallet }) {
  const [isFirst] = useState(needsBackup(wallet))
  if (!isFirst) return <BackupCard wallet={wallet} />
  return (
    <>
      {needsBackup(wallet) && (
        <Card title="Back up in one step">
          <p>
            Your passkey protects the backup, and brings the wallet back on your other devices. Where that does not work
            you get a recovery code. We keep the backup with your account, and can’t open it.
          </p>
          <BackUpNow address={wallet.accountAddress} />
        </Card>
      )}
      <details className="fold">
        <summary>Other ways</summary>
        <BackupCard wallet={wallet} />
      </details>
    </>
  )
}

/** Shows where the backup is stored and whether it is valid, and lets the user change it. */
function BackupCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress } = wallet
  const [provider, choose] = useState<BackupProvider>(wallet.backup.providers[0] ?? 'googleDrive')
  const [byPasskey, setByPasskey] = useState(false)
  const { hasBackupPart, backup, verify } = useWalletBackup(accountAddress)
  const backUp = useChange(backup, 'The backup is there, and it opens')
  const check = useChange(verify, 'The backup is good')
  const busy = backUp.busy || check.busy
  const isPrimary = ownsPrimary(wallet)
  /** The provider that accepts only a recovery code or a passkey to encrypt the backup. */
  const isHere = provider === 'dynamic'
  const target = { backup: { provider, ...(isHere && byPasskey && { passkey: true }) } }
  const start = () => !busy && backUp.run({ ...target, reshare: hasBackupPart === false })
  const backUpText = backUp.busy ? 'Backing up …' : `Back up to ${providerInSentence(provider)}`
  const verifyText = check.busy ? 'Verifying …' : 'Verify my backup'
  return (
    <Card title="Back up, and verify">
      <OptionCards<BackupProvider>
        legend="Where the backup is"
        options={backupProviders}
        value={provider}
        disabled={busy}
        choose={choose}
      />
      {isHere && <PasskeyChoice checked={byPasskey} disabled={busy} choose={setByPasskey} />}
      {hasBackupPart === false && (
        <Notice kind="warn" title="New key shares are created first.">
          Three parts: this device, the service, and a backup. Any two of them sign. The address stays.
        </Notice>
      )}
      <div className="row">
        {isPrimary && <Button kind="primary" text={backUpText} busy={busy} onClick={start} />}
        {hasBackupPart !== false && <Button text={verifyText} busy={busy} onClick={() => !busy && check.run(target)} />}
      </div>
      {!isPrimary && (
        <p className="soft small">This browser has a set of its own; the first device makes the backup.</p>
      )}
      <SigningStatus state={backup.status} address={accountAddress} />
      <Problem title="It was not backed up. Nothing was changed." error={backUp.error} />
      <Problem title="The backup could not be verified." error={check.error} />
    </Card>
  )
}

/** Shows the state of each share as a picture, where the backup is stored, and whether it is valid. */
export function BackupPage({ address }: { readonly address: string }) {
  const lead = 'One part of the key, sealed, in a place of yours.'
  return (
    <WalletPage title="Backup" address={address} lead={lead} back="Wallet security">
      {wallet => (
        <>
          <PartsCard wallet={wallet} />
          <BackupCards wallet={wallet} />
        </>
      )}
    </WalletPage>
  )
}
