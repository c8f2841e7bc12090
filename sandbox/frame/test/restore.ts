/** Restores a wallet as a user does. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackupTarget, RestoreOptions, WaasWallet } from '@keybay/waas'
import type { Frame, Page } from 'playwright-core'
import { chooseFile, nextDownload, password, press } from './person.js'
import { getFrame } from './world.js'

export type Mode = NonNullable<RestoreOptions['mode']>
export type Outcome = Awaited<ReturnType<Window['host']['outcome']>>

/** Saves bytes as a file for a file field. */
export async function saved(bytes: Uint8Array): Promise<string> {
  const path = join(tmpdir(), `keybay-${crypto.randomUUID()}.keybay`)
  await writeFile(path, bytes)
  return path
}
/** Starts a restore in a container of the page. */
export function beginRestore(
  page: Page,
  address: string,
  mode: Mode,
  backup: BackupTarget = { provider: 'external' },
): Promise<Outcome> {
  const outcome = page.evaluate(
    ([address, mode, backup]) => {
      const displayContainer = document.createElement('div')
      displayContainer.style.cssText = 'width:420px;height:640px'
      document.body.append(displayContainer)
      const { waas } = window.host.keybay
      return window.host
        .outcome(waas.restoreBackup(address, { displayContainer, backup, mode }))
        .finally(() => displayContainer.remove())
    },
    [address, mode, backup] as const,
  )
  // A test that fails before it waits for this reports its own error.
  outcome.catch(() => undefined)
  return outcome
}

export async function agreeToRestore(page: Page, mode: Mode): Promise<Frame> {
  const frame = await getFrame(page, 'visible')
  await press(frame.getByRole('button', { name: mode === 'add-device' ? 'Restore' : 'Replace it', exact: true }))
  return frame
}

export async function unlock(frame: Frame, text = password): Promise<void> {
  await frame.getByLabel('Password or recovery code').fill(text)
  await press(frame.getByRole('button', { name: 'Continue' }))
}
export interface Restored {
  readonly outcome: Outcome
  /** New backup, if a device was replaced. */
  readonly file: string | undefined
}

export async function restore(page: Page, address: string, mode: Mode, file: Uint8Array): Promise<Restored> {
  const download = nextDownload(page)
  const restoring = beginRestore(page, address, mode)
  const frame = await agreeToRestore(page, mode)
  await chooseFile(frame, await saved(file))
  await unlock(frame)
  const next = mode === 'replace-device' ? await (await download).path() : undefined
  if (next !== undefined) await chooseFile(frame, next)
  return { outcome: await restoring, file: next }
}

export async function getWallet(page: Page): Promise<WaasWallet | undefined> {
  return (await page.evaluate(() => window.host.keybay.waas.wallets()))[0]
}

/** Saves a copy of this browser's share, encrypted under the test's password, as a file for the recovery tool. */
export async function copyOwnPart(page: Page, address: string): Promise<string> {
  const copying = page.evaluate(
    ([address, password]) => window.host.keybay.waas.exportClientKeyshares(address, { password }),
    [address, password] as const,
  )
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Make the copy' }))
  return saved(Buffer.from(JSON.stringify({ keyShares: await copying })))
}
