/** Display names and descriptions of the backup providers. */
import type { BackupProvider } from '@keybay/kernel/spec'

export const backupProviders: readonly {
  readonly value: BackupProvider
  readonly name: string
  readonly says: string
}[] = [
  {
    value: 'googleDrive',
    name: 'Google Drive',
    says: 'A window of Google asks for access to this app’s own hidden folder, and to nothing else of yours.',
  },
  { value: 'icloud', name: 'iCloud', says: 'A window of Apple asks for access to this app’s own data in your iCloud.' },
  {
    value: 'dynamic',
    name: 'This service',
    says: 'Kept with your account, under a recovery code that the wallet’s window shows you once, or under a passkey. Nobody here can open it, and nobody can give you another.',
  },
  {
    value: 'external',
    name: 'A file',
    says: 'You keep the file yourself, and choose it once more, so that it is known to be good.',
  },
]

export function providerName(provider: BackupProvider): string {
  return backupProviders.find(({ value }) => value === provider)?.name ?? provider
}
