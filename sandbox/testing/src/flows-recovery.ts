/** Recovers a wallet as a user does. */
import type { Download } from 'playwright-core'
import { PASSWORD, shownWallet, TIMEOUT_MS } from './flows-waas.js'
import { type WalletFrame, walletFrame } from './pages/wallet-frame.js'
import type { Tab } from './visitor.js'

export type RestoreMode = 'This is one more device' | 'My other device is lost'

/** Chooses the backup that the user kept, in the wallet's own window. */
async function chooseBackup(frame: WalletFrame, backup: Buffer): Promise<void> {
  await frame.screen.getByRole('heading', { name: 'Choose the backup file' }).waitFor()
  await frame.screen
    .getByLabel('Backup file')
    .setInputFiles({ name: 'kept.keybay', mimeType: 'application/octet-stream', buffer: backup })
  await frame.press('Check the file')
}

/** Starts a restore on the restore page, and stops before the first request to the relay. */
async function beginRestore(
  tab: Tab,
  backup: Buffer,
  mode: RestoreMode,
): Promise<{ readonly download: Promise<Download> }> {
  const { page } = tab
  const frame = walletFrame(page)
  await page.getByRole('radio', { name: mode }).check()
  const download = page.waitForEvent('download', { timeout: TIMEOUT_MS })
  // The caller awaits the promise later and gets the error then.
  download.catch(() => {})
  await page.getByRole('button', { name: 'Restore the wallet' }).click()
  await frame.press(mode === 'This is one more device' ? 'Restore' : 'Replace it')
  await chooseBackup(frame, backup)
  await frame.enterPassword(PASSWORD)
  return { download }
}

export interface Restored {
  readonly address: string
  /** New backup, if a device was replaced. */
  readonly backup: Buffer | undefined
}
/** Restores a wallet on the restore page. Ends on the wallet's own page, connected. */
export async function restoreWallet(tab: Tab, backup: Buffer, mode: RestoreMode): Promise<Restored> {
  const { download } = await beginRestore(tab, backup, mode)
  const next = mode === 'My other device is lost' ? await walletFrame(tab.page).keepBackup(download) : undefined
  return { address: await shownWallet(tab), backup: next }
}
