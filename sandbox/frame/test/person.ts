/** Acts as a user of an MPC wallet, and checks its signatures without our code. */
import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas/protocol'
import bs58 from 'bs58'
import type { Download, Frame, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { getFrame } from './world.js'

export const password = 'correct horse'

/** Verifies a signature with Node's OpenSSL. */
export function isSignature(address: string, message: string, signature: string): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bs58.decode(address)])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'))
}

export interface Made {
  readonly address: string
  readonly wallet: WaasWallet
  /** Envelope that the user has. */
  readonly file: Uint8Array | undefined
}

/** Chooses a file in the visible frame. */
export async function chooseFile(frame: Frame, path: string): Promise<void> {
  await frame.getByLabel('Backup file').setInputFiles(path)
  await press(frame.getByRole('button', { name: 'Check the file' }))
}
/** Chooses the downloaded file again. */
export async function chooseBackup(page: Page, download: Promise<Download>): Promise<Uint8Array> {
  const path = await (await download).path()
  await chooseFile(await getFrame(page, 'visible'), path)
  return new Uint8Array(await readFile(path))
}
/** Returns the next download of a page, which may never come. */
export function nextDownload(page: Page): Promise<Download> {
  const download = page.waitForEvent('download')
  download.catch(() => undefined)
  return download
}

/** Creates a wallet; its backup, if the scheme has one, goes to a file that is read back. */
export async function create(page: Page, scheme: ThresholdSignatureScheme, exportable = true): Promise<Made> {
  const hasBackup = scheme !== 'TWO_OF_TWO'
  const download = nextDownload(page)
  const making = page.evaluate(
    ([scheme, exportable, hasBackup, password]) => {
      const backup = hasBackup ? ({ provider: 'external', password } as const) : undefined
      return window.host.keybay.waas.createWallet({ scheme, exportable, backup })
    },
    [scheme, exportable, hasBackup, password] as const,
  )
  const file = hasBackup ? await chooseBackup(page, download) : undefined
  const { wallet } = await making
  return { address: wallet.accountAddress, wallet, file }
}

/**
 * Reshares a 2-of-2 wallet to 2-of-3; the frame seals the backup under `password`, and the backup waits for a place.
 */
export async function createWaiting(page: Page, secret = password): Promise<string> {
  const address = await page.evaluate(
    async password =>
      (await window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_TWO', password })).wallet.accountAddress,
    secret,
  )
  const resharing = page.evaluate(
    ([address, password]) => window.host.keybay.waas.reshare(address, { to: 'TWO_OF_THREE', password }),
    [address, secret] as const,
  )
  await letPageOpen(page)
  expect((await resharing).wallet).toMatchObject({ epoch: 1, backup: { state: 'none', providers: [] } })
  return address
}

/** Agrees to a new backup that the page can open, because the page chose its secret. */
export async function letPageOpen(page: Page): Promise<Frame> {
  await page.bringToFront()
  const frame = await getFrame(page, 'visible')
  await frame.getByText('the page can open it').waitFor()
  await press(frame.getByRole('button', { name: 'Confirm', exact: true }))
  return frame
}

/** Changes the shares; the new backup, if any, goes to a file that is read back. */
export async function reshare(
  page: Page,
  address: string,
  to: ThresholdSignatureScheme | 'refresh',
  hasBackup: boolean,
): Promise<Made> {
  const download = nextDownload(page)
  const changing = page.evaluate(
    ([address, to, hasBackup, password]) => {
      const backup = hasBackup ? ({ provider: 'external', password } as const) : undefined
      const { waas } = window.host.keybay
      return to === 'refresh' ? waas.refresh(address, { backup }) : waas.reshare(address, { to, backup })
    },
    [address, to, hasBackup, password] as const,
  )
  if (hasBackup) await letPageOpen(page)
  const file = hasBackup ? await chooseBackup(page, download) : undefined
  const { wallet } = await changing
  return { address: wallet.accountAddress, wallet, file }
}

/** Enrols a second factor. @returns the secret of an authenticator app */
export function enrolTotp(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { totp, confirm } = await window.host.keybay.account.mfa.add('totp')
    await confirm(await window.totp(totp?.secret ?? ''))
    return totp?.secret ?? ''
  })
}

/** @returns the signature in base64 */
export function sign(page: Page, address: string, message: string): Promise<string> {
  return page.evaluate(([address, message]) => window.host.signMessage(address, message), [address, message] as const)
}

export async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.waitForFunction(() => 'host' in window)
}

/** Clicks a button. The click may remove the frame and then never end, so a removed button counts as clicked. */
export async function press(button: Locator): Promise<void> {
  await button.waitFor()
  const counts = (patience: number) =>
    button
      .locator('xpath=self::*[not(@disabled)]')
      .waitFor({ timeout: patience })
      .then(
        () => true,
        () => false,
      )
  const click = async () => {
    // Scroll first: a click that waits for the button scrolls the page, and may miss it.
    await button.scrollIntoViewIfNeeded()
    // The button counts once the user has seen the whole question, so scroll to its beginning, then to its end.
    let patience = 1_000
    for (let end = 0; !(await counts(patience)); end = 1e6 - end, patience *= 1.5) {
      await button.page().locator('iframe:not([hidden])').last().scrollIntoViewIfNeeded()
      await button.evaluate(({ ownerDocument }, end) => ownerDocument.scrollingElement?.scrollTo(0, end), end)
    }
    await button.click({ noWaitAfter: true })
  }
  const clicked = click()
  clicked.catch(() => {}) // the race reports the error
  await Promise.race([clicked, button.waitFor({ state: 'detached' }).catch(() => {})])
}
