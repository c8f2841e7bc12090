import type { BackupProvider, ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { providerName } from './backup-providers.js'
import { hasBackup } from './schemes.js'

/** States which backup prompt will follow, before the user starts. */
export function BackupNote({
  scheme,
  provider = 'external',
}: {
  readonly scheme: ThresholdSignatureScheme
  readonly provider?: BackupProvider | undefined
}): ReactElement {
  if (hasBackup(scheme) && provider !== 'external')
    return (
      <Notice title={`The new backup goes to ${providerName(provider)}.`}>
        It is read back and opened before anything depends on it. Then the old one is erased.
      </Notice>
    )
  return hasBackup(scheme) ? (
    <Notice title="You get a backup file.">
      The wallet’s own window asks for a password, or gives you a recovery code. Then you keep the file, and choose it
      once more, so that it is known to be good.
    </Notice>
  ) : (
    <Notice kind="warn" title="There is no backup.">
      You can divide the key anew later, with one.
    </Notice>
  )
}
