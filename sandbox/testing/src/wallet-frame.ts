/** Acts as a user in the wallet's own window, in a frame of another site. */

import { readFile } from 'node:fs/promises'
import { press as pressButton } from '@keybay/sandbox-tools/testing/press'
import type { Download, Page } from 'playwright-core'

const SHOWN = 'iframe[title="wallet storage"]:not([hidden])'

export function walletFrame(page: Page) {
  const screen = page.frameLocator(SHOWN)
  const press = (name: string) => pressButton(screen.getByRole('button', { name, exact: true }))
  /**
   * Returns the shown secret. Either the button or the secret exists: a window that loses focus hides the secret, which
   * an automated browser may cause by itself, so the button is pressed again.
   */
  const show = async (name: string, label: string): Promise<string> => {
    const button = screen.getByRole('button', { name, exact: true })
    const secret = screen.getByLabel(label).filter({ hasText: /./ })
    for (;;) {
      const text = await button.or(secret).textContent()
      if (text && text !== name) return text
      await press(name)
    }
  }
  const titled = (name: string) => screen.getByRole('heading', { name }).waitFor()
  const next = () => press('Continue')
  const chooseBackup = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    await titled('Choose the backup file')
    await screen.getByLabel('Backup file').setInputFiles(file)
    await press('Check the file')
  }
  return {
    screen,
    press,
    chooseBackup,
    async agreeToExport() {
      await titled('Export your private key?')
      await press('Export the key')
      await screen.getByLabel('Type “export” to continue').fill('export')
      await next()
    },
    showKey: () => show('Show the key', 'Private key'),
    showWords: () => show('Show the words', 'Recovery words'),
    async agree(title: string, button: string) {
      await titled(title)
      await press(button)
    },
    cancel: () => press('Cancel'),
    async choosePassword(password: string) {
      await titled('Protect the backup')
      await screen.getByLabel('Password', { exact: true }).fill(password)
      await screen.getByLabel('The same again').fill(password)
      await next()
    },
    /** Enters the password of a wallet to open its backup. */
    async enterPassword(password: string) {
      await titled('Enter your password')
      await screen.getByLabel('Password or recovery code').fill(password)
      await next()
    },
    /** Saves the recovery code of a new wallet, and types the group that the window asks for. */
    async keepRecoveryCode() {
      const code = (await screen.locator('pre.code').textContent()) ?? ''
      await next()
      const label = (await screen.locator('label', { hasText: /^Group/ }).textContent()) ?? ''
      await screen.getByLabel(label).fill(code.split('-')[Number(/\d/.exec(label)?.[0]) - 1] ?? '')
      await next()
    },
    /** Keeps the backup file that is being downloaded, and chooses that file again. */
    async keepBackup(downloading: Promise<Download>) {
      const download = await downloading
      const buffer = await readFile(await download.path())
      await chooseBackup({ name: download.suggestedFilename(), mimeType: 'application/octet-stream', buffer })
      return buffer
    },
    async enterKey(key: string) {
      await titled('Import a key')
      await screen.getByLabel('Private key').fill(key)
      await press('Import')
    },
  }
}
