/** Chromium with the sandbox's extension, installed from a temporary folder. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchWithExtension } from '@keybay/sandbox-tools/launch-browser'
import type { Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { Sandbox } from './sandbox.js'
import { createVisitor, type Visitor } from './visitor.js'

export type Way = 'injected' | 'standard' | 'evm'
export type ExtensionBrowser = Awaited<ReturnType<typeof openExtensionBrowser>>

const BUILT = fileURLToPath(new URL('.', import.meta.resolve('@keybay/sandbox-wallets/unpacked/manifest.json')))
const TIMEOUT_MS = 30_000

/** @param rpcUrl the node to which the wallet sends */
async function openExtensionBrowser(ways: readonly Way[], rpcUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'keybay-extension-'))
  await cp(BUILT, folder, { recursive: true })
  const config = { name: 'Phantom', ways }
  await writeFile(join(folder, 'config.js'), `window.keybaySandboxExtension = ${JSON.stringify(config)}`)
  const context = await launchWithExtension(folder)
  context.setDefaultTimeout(TIMEOUT_MS)
  const started = context.serviceWorkers().find(worker => worker.url().endsWith('/worker.js'))
  const worker = started ?? (await context.waitForEvent('serviceworker', { timeout: TIMEOUT_MS }))
  const id = new URL(worker.url()).hostname
  const pageAt = (path: string) => context.pages().find(page => page.url() === `chrome-extension://${id}/${path}`)
  const wallet = async () => {
    const page = pageAt('wallet.html') ?? (await context.newPage())
    await page.goto(`chrome-extension://${id}/wallet.html`)
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    return page
  }
  const main = await wallet()
  await main.getByLabel('Where transactions are sent').fill(rpcUrl)
  await main.getByLabel('Where transactions are sent').press('Tab')
  return {
    context,
    /** Returns the window with this question, once it is open. */
    async approval(title: string): Promise<Page> {
      let approval: Page | undefined
      const find = async () => {
        for (const page of context.pages()) {
          const dialog = page.getByRole('dialog', { name: title, exact: true })
          // A window that is closing throws.
          if (page.url().endsWith('/approval.html') && (await dialog.isVisible().catch(() => false))) approval = page
        }
        return approval
      }
      await expect.poll(find).toBeDefined()
      if (!approval) throw new Error(`No window with the question: ${title}`)
      return approval
    },
    /** Returns the wallet's main window. */
    wallet,
    /** Ends the worker, as Chromium does after half a minute without work. */
    async killWorker() {
      const page = pageAt('approval.html') ?? main
      const session = await context.newCDPSession(page)
      const running = async () => {
        const { targetInfos } = await session.send('Target.getTargets')
        return targetInfos.some(({ type, url }) => type === 'service_worker' && url.includes(id))
      }
      if (!(await running())) throw new Error('No worker is running.')
      await session.send('ServiceWorker.enable')
      await session.send('ServiceWorker.stopAllWorkers')
      await expect.poll(running).toBe(false)
    },
    /** Installs a newer version; open pages keep the scripts of the old one. */
    async update() {
      const path = join(folder, 'manifest.json')
      const manifest = await readFile(path, 'utf8')
      await writeFile(path, manifest.replace('"version": "0.1.0"', '"version": "0.2.0"'))
      const page = await context.newPage()
      await page.goto('chrome://extensions/')
      // Chromium removes unpacked extensions unless this is on.
      await page.evaluate('chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })')
      await page.evaluate(`chrome.developerPrivate.reload('${id}', { failQuietly: true })`)
      await page.close()
      // The extension is installed once its window opens.
      const getVersion = async () => {
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
      await expect.poll(getVersion).toBe('0.2.0')
    },
    /** Turns the extension off, as a user does on chrome://extensions. */
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

interface OpenExtension {
  readonly extension: ExtensionBrowser
  readonly visitor: Visitor
}

/**
 * Sets up the extension. Call once at the top of a test file. Closes the browser after each test; the console of its
 * pages must have been clean.
 * @param expectTrouble console messages that the tests cause
 */
export function setUpExtension(
  sandbox: Sandbox,
  expectTrouble: RegExp,
): (ways: readonly Way[]) => Promise<OpenExtension> {
  let current: OpenExtension | undefined
  afterEach(async () => {
    const troubles = current?.visitor.troubles ?? []
    await current?.extension.close()
    current = undefined
    expect(troubles).toEqual([])
  })
  return async ways => {
    const extension = await openExtensionBrowser(ways, sandbox.chain.url)
    const visitor = await createVisitor(extension.context, { base: sandbox.app.url, expectTrouble })
    current = { extension, visitor }
    await visitor.open('/')
    return current
  }
}
