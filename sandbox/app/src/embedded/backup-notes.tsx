/** Backup providers, and the notice about the backup that follows. */
import type { BackupProvider, ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { Notice } from '../design/index.js'
import type { Option } from './parts.js'
import { hasBackup } from './schemes.js'

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
