/** Restores, exports, copies and adds share sets as a user does. */

import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { typeJoinCode } from '@keybay/sandbox-tools/testing/join-code'
import type { BackupTarget, RestoreOptions } from '@keybay/waas'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { agree, attempt, call, chooseFile, nextDownload, type Outcome, password, press } from './user.js'
import { getFrame } from './world.js'

export type Mode = NonNullable<RestoreOptions['mode']>

/** Saves bytes as a file for a file field. */
export async function saved(bytes: Uint8Array): Promise<string> {
  const path = join(tmpdir(), `keybay-${crypto.randomUUID()}.keybay`)
  await writeFile(path, bytes)
  return path
}

/** Starts an operation in an element of the page, which is removed after the operation. Its layout: a box, or a dialog. */
export function beginInside(
  page: Page,
  method: 'restoreBackup' | 'restoreBackupFromGoogleDrive' | 'exportPrivateKey',
  address: string,
  options: object = {},
  layout = 'width:420px;height:640px;position:relative',
): Promise<Outcome> {
  const outcome = page.evaluate(
    ([method, address, options, layout]) => {
      const displayContainer = document.createElement(layout === 'dialog' ? 'dialog' : 'div')
      if (layout !== 'dialog') displayContainer.style.cssText = layout
      document.body.append(displayContainer)
      const { outcome, call } = window.host
      const attempt = outcome(call(method, [address, { displayContainer, ...options }]))
      return attempt.finally(() => displayContainer.remove())
    },
    [method, address, options, layout] as const,
  )
  // A test that fails before it waits for this reports its own error.
  outcome.catch(() => undefined)
  return outcome
}

export function beginRestore(
  page: Page,
  address: string,
  mode: Mode,
  backup: BackupTarget = { provider: 'external' },
  layout?: string,
): Promise<Outcome> {
  return beginInside(page, 'restoreBackup', address, { backup, mode }, layout)
}

export function agreeToRestore(page: Page, mode: Mode): Promise<Frame> {
  return agree(page, mode === 'add-device' ? 'Restore' : 'Replace it')
}

export async function unlock(frame: Frame, text = password): Promise<void> {
  await frame.getByLabel('Password or recovery code').fill(text)
  await press(frame.getByRole('button', { name: 'Continue', exact: true }))
}

/** @returns the outcome, and the new backup if a device was replaced */
export async function restore(page: Page, address: string, mode: Mode, file: Uint8Array) {
  const download = nextDownload(page)
  const restoring = beginRestore(page, address, mode)
  const frame = await agreeToRestore(page, mode)
  await chooseFile(frame, await saved(file))
  await unlock(frame)
  const next = mode === 'replace-device' ? await (await download).path() : undefined
  if (next !== undefined) await chooseFile(frame, next)
  return { outcome: await restoring, file: next }
}

/** Saves a copy of this browser's share, encrypted under the test's password, as a file for the recovery tool. */
export async function copyOwnShare(page: Page, address: string): Promise<string> {
  const copying = call(page, 'exportClientKeyshares', address, { password })
  await agree(page, 'Make the copy')
  return saved(Buffer.from(JSON.stringify({ keyShares: await copying })))
}

/**
 * Returns the shown key. Either the button or the key exists: a window that loses focus hides the key, so the button is
 * pressed again.
 */
export async function showKey(frame: Frame): Promise<string> {
  const button = frame.getByRole('button', { name: 'Show the key' })
  const key = frame.getByLabel('Private key').filter({ hasText: /./ })
  for (;;) {
    const text = await button.or(key).textContent()
    if (text && text !== 'Show the key') return text
    await press(button)
  }
}

/** Checks that web3.js signs a transfer from this address with the key alone. */
export function spends(text: string, address: string): boolean {
  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' }).add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 1 }),
  )
  transaction.sign(Keypair.fromSecretKey(bs58.decode(text)))
  return transaction.verifySignatures()
}

/** Agrees to an export in both of its steps. */
export async function agreeToExport(page: Page) {
  const frame = await agree(page, 'Export the key')
  await frame.getByLabel('Type “export” to continue').fill('export')
  return agree(page, 'Continue')
}

/** Exports a key, from the question to the end. @returns the key, and the other text in the window */
export async function exportKey(page: Page, address: string) {
  const exporting = beginInside(page, 'exportPrivateKey', address)
  const frame = await agreeToExport(page)
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  const text = await showKey(frame)
  await press(frame.getByRole('button', { name: 'Done' }))
  expect((await exporting).code).toBeUndefined()
  return { text, words }
}

/** Revokes a set, and agrees as the user. @returns the window's question */
export async function revoke(page: Page, address: string, setId = ''): Promise<string | null> {
  await page.bringToFront()
  const revoking = attempt(page, 'revokeSet', address, setId)
  const frame = await getFrame(page, 'visible')
  const title = await frame.getByRole('heading', { level: 1 }).textContent()
  await agree(page, 'Revoke')
  expect((await revoking).code).toBeUndefined()
  return title
}

/** Joins from the new page; the user types two groups of its code on the old page, and agrees. */
export async function joinDevice(old: Page, fresh: Page, address: string): Promise<void> {
  const asking = attempt(fresh, 'addDevice', address)
  const code = (await (await getFrame(fresh, 'visible')).locator('pre.code').textContent()) ?? ''
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}(-[0-9A-HJKMNP-TV-Z]{6}){3}$/)
  // The browser does not draw a page in the background, and its buttons wait until they are visible.
  await old.bringToFront()
  const admitting = attempt(old, 'addDevice', address)
  await typeJoinCode(await getFrame(old, 'visible'), code)
  await agree(old, 'Add')
  expect((await admitting).code).toBeUndefined()
  expect((await asking).code).toBeUndefined()
}
