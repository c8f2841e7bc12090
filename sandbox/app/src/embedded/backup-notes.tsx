/** Backup providers, and notices about the backup on other pages. */
import type { BackupProvider, ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { Notice } from '../design/index.js'
import { Link, LinkButton } from '../routing/link.js'
import { BackUpNow } from './back-up-now.js'
import type { Option } from './parts.js'
import { hasBackup, ownsPrimary } from './schemes.js'

export const backupProviders: readonly (Option<BackupProvider> & { readonly says: string })[] = [
  {
    value: 'googleDrive',
    name: 'Google Drive',
    says: 'A window of Google asks for access to this app’s own hidden folder, and to nothing else of yours.',
  },
  { value: 'icloud', name: 'iCloud', says: 'A window of Apple asks for access to this app’s own data in your iCloud.' },
  {
    value: 'dynamic',
    name: 'This service',
    says: 'Kept with your account, under a recovery code that the wallet’s window shows you once, or under a passkey. We can’t open it, and we can’t replace it.',
  },
  {
    value: 'external',
    name: 'A file',
    says: 'You keep the file yourself, and choose it once more, so that it is known to be good.',
  },
]

function providerName(provider: BackupProvider): string {
  return backupProviders.find(({ value }) => value === provider)?.name ?? provider
}

/** Returns the name inside a sentence: `a file`, `Google Drive`. */
export function providerInSentence(provider: BackupProvider): string {
  const name = providerName(provider)
  return provider === 'external' || provider === 'dynamic' ? name.toLowerCase() : name
}

interface BackupNoteProps {
  readonly scheme: ThresholdSignatureScheme
  readonly provider?: BackupProvider | undefined
}

/** States which backup prompt will follow, before the user starts. */
export function BackupNote({ scheme, provider = 'external' }: BackupNoteProps) {
  if (!hasBackup(scheme))
    return (
      <Notice kind="warn" title="There is no backup.">
        You can create new key shares later, with one.
      </Notice>
    )
  return provider === 'external' ? (
    <Notice title="You get a backup file.">
      The wallet’s own window asks for a password, or gives you a recovery code. Then you keep the file, and choose it
      once more, so that it is known to be good.
    </Notice>
  ) : (
    <Notice title={`The new backup goes to ${providerInSentence(provider)}.`}>
      It is read back and opened before anything depends on it. Then the old one is erased.
    </Notice>
  )
}

/** Returns true if only this browser holds its share, and it can make the backup that is missing. */
export function needsBackup(wallet: WaasWallet): boolean {
  return wallet.here && wallet.backup.state !== 'current' && ownsPrimary(wallet)
}

/** Returns what is missing, if anything, and this browser can fix it. */
function getNudge(wallet: WaasWallet) {
  const { thresholdSignatureScheme, here, backup } = wallet
  if (needsBackup(wallet))
    return {
      title: backup.state === 'stale' ? 'The backup is out of date.' : 'This wallet has no backup.',
      says: hasBackup(thresholdSignatureScheme)
        ? 'If this browser forgets its part, only a backup brings the wallet back.'
        : 'It has two parts; if this browser forgets its own, the wallet is lost.',
    }
  if (!here || backup.state !== 'unverified') return undefined
  const says = 'Another device may have made one. Verify it once, before you need it.'
  return { title: 'You have not verified this wallet’s backup in this browser.', says }
}

/** Offers the backup when it is missing and this browser can make it; otherwise renders nothing. */
export function BackupNudge({ wallet }: { readonly wallet: WaasWallet }) {
  const nudge = getNudge(wallet)
  const page = `/wallets/${wallet.accountAddress}/backup`
  return nudge ? (
    <Notice kind="warn" title={nudge.title}>
      <span>{nudge.says}</span>
      {needsBackup(wallet) ? (
        <BackUpNow address={wallet.accountAddress}>
          <Link to={page} className="small">
            Other ways
          </Link>
        </BackUpNow>
      ) : (
        <LinkButton to={page} small text="Verify it now" />
      )}
    </Notice>
  ) : null
}
