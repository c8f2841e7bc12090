/** The way back to a wallet, as a user goes it. */
import type { Download } from 'playwright-core'
import { PASSWORD, PATIENCE, shownWallet } from './flows-waas.js'
import { type WalletFrame, walletFrame } from './pages/wallet-frame.js'
import type { Tab } from './visitor.js'

export type RestoreMode = 'This is one more device' | 'My other device is lost'

/** In the wallet's own window: the backup that the user kept. */
async function chooseBackup(frame: WalletFrame, backup: Buffer): Promise<void> {
  await frame.screen.getByRole('heading', { name: 'Choose the backup file' }).waitFor()
  await frame.screen
    .getByLabel('Backup file')
    .setInputFiles({ name: 'kept.keybay', mimeType: 'application/octet-stream', buffer: backup })
  await frame.press('Check the file')
}

/** On the restore page, up to where the relay deals: nothing has been asked of it yet. */
async function beginRestore(
  tab: Tab,
  backup: Buffer,
  mode: RestoreMode,
): Promise<{ readonly download: Promise<Download> }> {
  const { page } = tab
  const frame = walletFrame(page)
  await page.getByRole('radio', { name: mode }).check()
  const download = page.waitForEvent('download', { timeout: PATIENCE })
  // Whoever awaits it later hears why there was none.
  download.catch(() => {})
  await page.getByRole('button', { name: 'Restore the wallet' }).click()
  await frame.press(mode === 'This is one more device' ? 'Restore' : 'Replace it')
  await chooseBackup(frame, backup)
  await frame.enterPassword(PASSWORD)
  return { download }
}

export interface Restored {
  readonly address: string
  /** The new one, where a device was replaced. */
  readonly backup: Buffer | undefined
}
/** On the restore page. Ends on the wallet's own page, connected. */
export async function restoreWallet(tab: Tab, backup: Buffer, mode: RestoreMode): Promise<Restored> {
  const { download } = await beginRestore(tab, backup, mode)
  const next = mode === 'My other device is lost' ? await walletFrame(tab.page).keepBackup(download) : undefined
  return { address: await shownWallet(tab), backup: next }
}
