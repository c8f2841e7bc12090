import type { WaasWallet } from '@keybay/waas'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { formatMoment } from '../design/format.js'
import { Glyph, type IconName } from '../design/icons.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { BackupCard } from './backup-card.js'
import { providerName } from './backup-providers.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { OwnWallet } from './own-wallet.js'
import { places } from './places.js'
import { hasBackup, type Place, schemes } from './schemes.js'

type Health = 'good' | 'bad' | 'unknown'
const marks: { readonly [H in Health]: IconName } = { good: 'check', bad: 'close', unknown: 'info' }

/** Returns the health of each share, as text and as an icon. */
function getHealth({ here, backup }: WaasWallet, place: Place): { readonly health: Health; readonly says: string } {
  if (place === 'device')
    return here ? { health: 'good', says: 'In this browser.' } : { health: 'unknown', says: 'On another device.' }
  if (place !== 'backup') return { health: 'good', says: 'Kept, and signs with you.' }
  const where = backup.providers.map(providerName).join(' and ')
  const when = backup.backedUpAt === undefined ? '' : ` Checked ${formatMoment(backup.backedUpAt)}.`
  switch (backup.state) {
    case 'current':
      return { health: 'good', says: `At ${where}.${when}` }
    case 'stale':
      return { health: 'bad', says: 'Only an older one, which no longer restores.' }
    case 'unverified':
      return { health: 'unknown', says: 'There may be one, made by another device. Verify it below.' }
    case 'none':
      return { health: 'bad', says: 'Nowhere yet. Without it, a lost device is a lost wallet.' }
  }
}

function PartsCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { threshold, holders } = schemes[wallet.thresholdSignatureScheme]
  const list = [...new Set(holders)]
  return (
    <section className="card" aria-labelledby="parts">
      <h2 id="parts">How the parts are</h2>
      <p className="soft small">{`Any ${threshold} of ${holders.length} parts sign; as long as so many are left, nothing is lost.`}</p>
      <ul className="backup-parts" aria-label="Parts of the key">
        {list.map(place => {
          const { health, says } = getHealth(wallet, place)
          return (
            <li key={place} className={`backup-part backup-part-${health}`}>
              <Glyph name={places[place].icon} size={28} />
              <strong>{places[place].name}</strong>
              <span className="backup-mark">
                <Glyph name={marks[health]} size={16} />
                <span className="visually-hidden">
                  {health === 'good' ? 'In order: ' : health === 'bad' ? 'Missing: ' : 'Not known: '}
                </span>
              </span>
              <span className="soft small">{says}</span>
            </li>
          )
        })}
      </ul>
      {!hasBackup(wallet.thresholdSignatureScheme) && (
        <Notice kind="warn" title="This wallet has no part for a backup.">
          It has two parts, on this device and at the service. If either is lost, so is the wallet.
        </Notice>
      )}
    </section>
  )
}

/** Shows the state of each share as a picture, where the backup is stored, and whether it is valid. */
export function BackupPage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page
      title="Backup"
      width="narrow"
      lead={
        <>
          One part of the key, sealed, in a place of yours. <Link to={`/wallets/${address}`}>Wallet security</Link>
        </>
      }
    >
      <NeedsSignIn>
        <OwnWallet address={address}>
          {wallet => (
            <>
              <PartsCard wallet={wallet} />
              <BackupCard wallet={wallet} />
            </>
          )}
        </OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
