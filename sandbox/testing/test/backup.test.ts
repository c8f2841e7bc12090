import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, PASSWORD, signMessage } from '../src/flows-waas.js'
import { driveWindow } from '../src/pages/drive-window.js'
import { walletFrame } from '../src/pages/wallet-frame.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Tab } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true, drives: true })
/** The browser itself says when a service refuses or does not answer; the page has its own words for that. */
const UNREACHABLE = /Failed to load resource|blocked by CORS policy/

/** From the page of a wallet. */
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

it('[S1.8] says what a wallet of two parts lacks, divides it into three, and backs up to Google Drive', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  const { page } = visitor
  // Each backup works on its password twice or more.
  visitor.context.setDefaultTimeout(60_000)
  const frame = walletFrame(page)
  await signInByCode(sandbox, visitor, 'two-parts@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await page.getByText('This wallet has no backup.').waitFor()
  await openBackup(visitor, 'Back up now')
  await page.getByText('The key is divided anew first.').waitFor()
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

it('takes a passkey in place of a recovery code, and verifies with it what is at the service', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  // Each backup works on its password twice or more.
  visitor.context.setDefaultTimeout(60_000)
  const frame = walletFrame(page)
  const authenticator = await addAuthenticator(page)
  await signInByCode(sandbox, visitor, 'passkey-backup@example.com')
  await createWallet(visitor, { scheme: '2 of 2' })
  await openBackup(visitor, 'Back up now')
  await page.getByRole('radio', { name: 'This service', exact: true }).check()
  await page.getByLabel('Use a passkey in place of a recovery code').check()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Back up to This service' }).click()
  await frame.agree('Lock the backup with a passkey', 'Continue')
  await part(visitor, 'Backup').getByText('At This service.').waitFor()
  expect(await authenticator.count()).toBe(1)
  await page.getByRole('button', { name: 'Verify my backup' }).click()
  await frame.agree('Open the backup with your passkey', 'Use the passkey')
  await page.getByText('The backup is good').first().waitFor()
}, 300_000)

it('takes a file on to iCloud and to the service, and says what was denied or did not answer', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  const { page } = visitor
  // Each backup works on its password twice or more.
  visitor.context.setDefaultTimeout(60_000)
  const frame = walletFrame(page)
  await signInByCode(sandbox, visitor, 'four-places@example.com')
  const { backup } = await createWallet(visitor)
  if (!backup) throw new Error('2 of 3 has a backup')
  const chooseFile = async () => {
    await frame.screen.getByRole('heading', { name: 'Choose the backup file' }).waitFor()
    const file = { name: 'mine.keybay', mimeType: 'application/octet-stream', buffer: backup }
    await frame.screen.getByLabel('Backup file').setInputFiles(file)
    await frame.press('Check the file')
    await frame.enterPassword(PASSWORD)
  }
  await openBackup(visitor, 'Backup')
  await part(visitor, 'Backup').getByText('At A file.').waitFor()
  const first = driveWindow(page)
  await backUpTo(visitor, 'iCloud')
  await chooseFile()
  await (await first).allow()
  await part(visitor, 'Backup').getByText('At A file and iCloud.').waitFor()

  // Its operator could guess a password: there is a code for it.
  await backUpTo(visitor, 'This service')
  await chooseFile()
  await frame.screen.getByRole('heading', { name: 'Your recovery code' }).waitFor()
  const code = (await frame.screen.locator('pre').textContent()) ?? ''
  await frame.screen.getByLabel('I have saved it').check()
  await frame.press('Continue')
  const label = (await frame.screen.locator('label', { hasText: /^Group/ }).textContent()) ?? ''
  await frame.screen.getByLabel(label).fill(code.split('-')[Number(/\d/.exec(label)?.[0]) - 1] ?? '')
  await frame.press('Continue')
  await part(visitor, 'Backup').getByText('At A file and iCloud and This service.').waitFor()

  const denied = driveWindow(page)
  await backUpTo(visitor, 'Google Drive')
  await chooseFile()
  await (await denied).deny()
  await page.getByText('It was not backed up. Nothing was changed.').waitFor()
  await page.getByText('You did not allow access').waitFor()
  sandbox.identity.faults.set('upload', { down: true })
  const broken = driveWindow(page)
  await backUpTo(visitor, 'Google Drive')
  await chooseFile()
  await (await broken).allow()
  await page.getByText('The backup’s provider cannot be reached').waitFor()
  await part(visitor, 'Backup').getByText('At A file and iCloud and This service.').waitFor()
  await signMessage(visitor, 'Nothing was lost')
}, 300_000)
