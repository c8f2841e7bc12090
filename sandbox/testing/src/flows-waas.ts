/** Steps with embedded wallets that several tests share. */
import type { Download } from 'playwright-core'
import { expect } from 'vitest'
import { openMenu } from './pages.js'
import type { Tab } from './visitor.js'
import { walletFrame } from './wallet-frame.js'

export type SchemeName = '2 of 2' | '2 of 3' | '3 of 5'
interface NewWallet {
  readonly scheme?: SchemeName
  /** False: the key is never whole. */
  readonly exportable?: boolean
}
interface MadeWallet {
  readonly address: string
  /** The newest backup, if the scheme has one and the device is not only an additional one. */
  readonly backup: Buffer | undefined
}
export const PASSWORD = 'a ferry leaves at dawn'
/** Time-out for two password derivations on a slow machine, in ms. Not a pause: an earlier result is used at once. */
const TIMEOUT_MS = 120_000

function hasBackup(scheme: SchemeName): boolean {
  return scheme !== '2 of 2'
}

export function openWallets({ page }: Tab): Promise<void> {
  return openMenu(page, 'Wallets', 'Wallets')
}
/** Waits for the backup file that the frame offers. */
function waitForDownload({ page }: Tab): Promise<Download> {
  const download = page.waitForEvent('download', { timeout: TIMEOUT_MS })
  // The caller awaits the promise later and gets the error then.
  download.catch(() => {})
  return download
}
/** Protects a backup in the wallet's window: password, file, and the file again. */
async function protect(tab: Tab, download: Promise<Download>): Promise<Buffer> {
  const frame = walletFrame(tab.page)
  await frame.choosePassword(PASSWORD)
  return frame.keepBackup(download)
}
/** Waits until the page of a wallet shows it. @returns its address */
export async function shownWallet({ page }: Tab): Promise<string> {
  await page.getByRole('heading', { name: 'Wallet security', level: 1 }).waitFor({ timeout: TIMEOUT_MS })
  await page.getByRole('region', { name: 'The key and its parts' }).waitFor()
  return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
}

/** Opens the page of one wallet through the list. */
export async function openSecurity(tab: Tab, address: string): Promise<void> {
  await openWallets(tab)
  const short = `${address.slice(0, 6)}…${address.slice(-6)}`
  await tab.page.getByRole('link', { name: new RegExp(`^(Security of|Add this browser to) ${short}$`) }).click()
  await shownWallet(tab)
}
/** Creates a wallet for the signed-in user. Ends on the page of the new wallet, connected. */
export async function createWallet(tab: Tab, { scheme = '2 of 3', exportable = true }: NewWallet = {}) {
  const { page } = tab
  await openWallets(tab)
  await page.getByRole('link', { name: 'Create a wallet' }).click()
  await page.getByRole('button', { name: 'Show all choices' }).click()
  await page.getByRole('radio', { name: scheme }).check()
  if (!exportable) await page.getByRole('radio', { name: 'Never assembled' }).check()
  const download = waitForDownload(tab)
  await page.getByRole('button', { name: 'Create wallet' }).click()
  const backup = hasBackup(scheme) ? await protect(tab, download) : undefined
  return { address: await shownWallet(tab), backup }
}

/** Opens what the page of a wallet folds away, if it is folded. */
export async function openAdvanced({ page }: Tab): Promise<void> {
  const summary = page.locator('summary', { hasText: 'Advanced' })
  if (!(await page.getByRole('region', { name: 'Details' }).isVisible())) await summary.click()
}

/** Creates new key shares on the page of a wallet. @returns the new backup */
export async function refreshShares(tab: Tab, scheme: SchemeName): Promise<Buffer | undefined> {
  const download = waitForDownload(tab)
  await openAdvanced(tab)
  const card = tab.page.getByRole('region', { name: 'Change the parts' })
  await card.getByRole('button', { name: 'Refresh', exact: true }).click()
  const backup = hasBackup(scheme) ? await protect(tab, download) : undefined
  await tab.page.getByText('New parts are in place', { exact: true }).waitFor({ timeout: TIMEOUT_MS })
  return backup
}
/** Waits until the page has verified this message; the page may still show an older one. */
export async function signedMessage({ page }: Tab, message: string): Promise<void> {
  await expect.poll(() => page.getByRole('region', { name: 'Verify' }).getByLabel('Message').inputValue()).toBe(message)
  await page.getByText('The signature is valid.').waitFor()
}
/** Asks the active account for a signature. */
export async function askToSign(tab: Tab, message: string): Promise<void> {
  const { page } = tab
  await tab.go('Sign')
  // Without a connected account the page only verifies, and has a message field for that.
  const card = page.getByRole('region', { name: 'Sign', exact: true })
  await card.getByLabel('Message').fill(message)
  await card.getByRole('button', { name: 'Sign message' }).click()
}

/** Agrees to the signature in the wallet's own window. */
export function agreeToSign({ page }: Tab, what: 'message' | 'transaction'): Promise<void> {
  return walletFrame(page).agree(`Sign this ${what}?`, 'Sign')
}

/** Signs with the active embedded wallet; the page verifies the signature with tweetnacl. */
export async function signMessage(tab: Tab, message: string): Promise<void> {
  await askToSign(tab, message)
  await agreeToSign(tab, 'message')
  await signedMessage(tab, message)
}

/** Restores a wallet on the restore page. Ends on the wallet's own page, connected. */
export async function restoreWallet(
  tab: Tab,
  backup: Buffer,
  mode: 'This is one more device' | 'My other device is lost',
): Promise<MadeWallet> {
  const { page } = tab
  const frame = walletFrame(page)
  const isAdded = mode === 'This is one more device'
  await page.getByRole('radio', { name: mode }).check()
  await page.getByLabel('Where is your backup?').selectOption('A file that I kept')
  const download = waitForDownload(tab)
  await page.getByRole('button', { name: 'Restore the wallet' }).click()
  await frame.press(isAdded ? 'Restore' : 'Replace it')
  await frame.chooseBackup({ name: 'kept.keybay', mimeType: 'application/octet-stream', buffer: backup })
  await frame.enterPassword(PASSWORD)
  const next = isAdded ? undefined : await frame.keepBackup(download)
  return { address: await shownWallet(tab), backup: next }
}
