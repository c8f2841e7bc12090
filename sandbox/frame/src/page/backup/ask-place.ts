/** Asks the user where to store a new backup, if the request names no place. */
import type { BackupProvider } from '@keybay/kernel/spec'
import type { BackupTarget } from '@keybay/waas/protocol'
import { paragraph, radios } from '../screen/dom.js'
import type { Screen } from '../screen/screen.js'

export const PLACES: { readonly [P in BackupProvider]: readonly [label: string, hint: string] } = {
  external: ['A file', 'You download it and keep it somewhere other than this device.'],
  googleDrive: ['Google Drive', 'In your own Drive, in a folder that only this app sees.'],
  icloud: ['iCloud', 'In your own iCloud.'],
  dynamic: ['The app’s service', 'It opens with a recovery code that only you have.'],
}

/** @throws KeybayError `consent_required` in a hidden frame; `user_rejected` */
export async function askBackupPlace(
  screen: Screen,
  providers: readonly BackupProvider[],
  signal?: AbortSignal,
): Promise<BackupTarget> {
  const [first = 'external'] = providers
  const options = providers.map(value => ({ value, label: PLACES[value][0], hint: PLACES[value][1] }))
  const choice = radios('Backup place', options, first)
  const provider = await screen.ask({
    title: 'Where should your backup go?',
    content: [
      paragraph(
        'The backup brings your wallet back if you lose this device. It is encrypted before it leaves this window.',
      ),
      choice.row,
    ],
    action: 'Continue',
    signal,
    read: choice.read,
  })
  return provider === 'external' ? { provider, keeper: 'file' } : { provider }
}
