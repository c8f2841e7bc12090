/** Chromium with the sandbox's extension in it, from a folder of the test's own. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchWithExtension } from '@keybay/sandbox-tools/launch-browser'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from './flows.js'

export type Way = 'injected' | 'standard' | 'evm'
export interface ExtensionBrowser {
  readonly context: BrowserContext
  readonly id: string
  /** The window that asks, once it asks this. */
  approval(title: string): Promise<Page>
  /** The wallet's own window. */
  wallet(): Promise<Page>
  worker(): Promise<Worker>
  /** Ends the worker, as Chromium does it after half a minute of quiet. */
  killWorker(): Promise<void>
  /** A newer version takes the place of this one; the pages that are open keep the old one's scripts. */
  update(): Promise<void>
  /** As a user does it on chrome://extensions. */
  disable(): Promise<void>
  close(): Promise<void>
}

const BUILT = fileURLToPath(new URL('.', import.meta.resolve('@keybay/sandbox-wallets/unpacked/manifest.json')))
const PATIENCE = 30_000

/** @param rpcUrl where the wallet sends */
export async function openExtensionBrowser(ways: readonly Way[], rpcUrl: string): Promise<ExtensionBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'keybay-extension-'))
  await cp(BUILT, folder, { recursive: true })
  const config = { name: 'Phantom', ways }
  await writeFile(join(folder, 'config.js'), `window.keybaySandboxExtension = ${JSON.stringify(config)}`)
  const context = await launchWithExtension(folder)
  context.setDefaultTimeout(PATIENCE)
  const find = () => context.serviceWorkers().find(one => one.url().endsWith('/worker.js'))
  const worker = async () => find() ?? context.waitForEvent('serviceworker', { timeout: PATIENCE })
  const id = new URL((await worker()).url()).hostname
  const pageAt = (path: string) => context.pages().find(page => page.url() === `chrome-extension://${id}/${path}`)
  const wallet = async () => {
    const page = pageAt('wallet.html') ?? (await context.newPage())
    await page.goto(`chrome-extension://${id}/wallet.html`)
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    return page
  }
  const own = await wallet()
  await own.getByLabel('Where transactions are sent').fill(rpcUrl)
  await own.getByLabel('Where transactions are sent').press('Tab')
  return {
    context,
    id,
    async approval(title) {
      let asking: Page | undefined
      const look = async () => {
        for (const page of context.pages()) {
          const dialog = page.getByRole('dialog', { name: title, exact: true })
          // One that is about to close is none.
          if (page.url().endsWith('/approval.html') && (await dialog.isVisible().catch(() => false))) asking = page
        }
        return asking
      }
      await expect.poll(look, { timeout: PATIENCE }).toBeDefined()
      if (!asking) throw new Error(`No window asks: ${title}`)
      return asking
    },
    wallet,
    worker,
    async killWorker() {
      const page = pageAt('approval.html') ?? own
      const session = await context.newCDPSession(page)
      const running = async () => {
        const { targetInfos } = await session.send('Target.getTargets')
        return targetInfos.some(({ type, url }) => type === 'service_worker' && url.includes(id))
      }
      if (!(await running())) throw new Error('There is no worker')
      await session.send('ServiceWorker.enable')
      await session.send('ServiceWorker.stopAllWorkers')
      await eventually(running).toBe(false)
    },
    async update() {
      const path = join(folder, 'manifest.json')
      const manifest = await readFile(path, 'utf8')
      await writeFile(path, manifest.replace('"version": "0.1.0"', '"version": "0.2.0"'))
      const page = await context.newPage()
      await page.goto('chrome://extensions/')
      // Chromium keeps no unpacked extension without it.
      await page.evaluate('chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })')
      await page.evaluate(`chrome.developerPrivate.reload('${id}', { failQuietly: true })`)
      await page.close()
      // It is there again once its own window opens.
      const isThere = async () => {
        const page = await context.newPage()
        try {
          await page.goto(`chrome-extension://${id}/wallet.html`)
          return await page.evaluate('chrome.runtime.getManifest().version')
        } catch {
          return undefined
        } finally {
          await page.close()
        }
      }
      await expect.poll(isThere, { timeout: PATIENCE }).toBe('0.2.0')
    },
    async disable() {
      const page = await context.newPage()
      await page.goto('chrome://extensions/')
      await page.locator(`extensions-item[id="${id}"] #enableToggle`).first().click()
      await page.close()
    },
    async close() {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
