import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, PASSWORD, signMessage } from '../src/flows-waas.js'
import { driveWindow } from '../src/pages/drive-window.js'
import { walletFrame } from '../src/pages/wallet-frame.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Tab } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true, drives: true })
/** The browser logs each refusal or time-out of a service; the page shows its own text. */
const UNREACHABLE = /Failed to load resource|blocked by CORS policy/

/** Opens the backup page from the page of a wallet. */
async function openBackup({ page }: Tab, link: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { name: 'Backup', level: 1 }).waitFor()
}

async function backUpTo({ page }: Tab, name: string): Promise<void> {
  await page.getByRole('radio', { name, exact: true }).check()
  await page.getByRole('button', { name: `Back up to ${name}` }).click()
}

function part({ page }: Tab, name: string) {
  return page.getByRole('list', { name: 'Parts of the key' }).getByRole('listitem').filter({ hasText: name })
}

it('[S1.8] says what a 2-of-2 wallet lacks, reshares it to three shares, and backs it up to Google Drive', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  const { page } = visitor
  // Each backup derives its password twice or more.
  visitor.context.setDefaultTimeout(60_000)
  const frame = walletFrame(page)
  await signInByCode(sandbox, visitor, 'two-parts@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await page.getByText('This wallet has no backup.').waitFor()
  await openBackup(visitor, 'Back up now')
  await page.getByText('New key shares are created first.').waitFor()
  expect(await findViolations(page)).toEqual([])
  const opening = driveWindow(page)
  await backUpTo(visitor, 'Google Drive')
  await frame.choosePassword(PASSWORD)
  await (await opening).allow()
  await part(visitor, 'Backup').getByText('At Google Drive.').waitFor()
  expect(await findViolations(page)).toEqual([])

  const again = driveWindow(page)
  await page.getByRole('button', { name: 'Verify my backup' }).click()
  await frame.enterPassword(PASSWORD)
  await (await again).allow()
  await page.getByText('The backup is good').first().waitFor()
  await signMessage(visitor, 'Backed up')
  expect(address).toBeTruthy()
}, 300_000)
