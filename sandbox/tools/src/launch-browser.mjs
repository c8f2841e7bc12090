/** Chromium for a test, started once per file. The one command here that needs what is installed. */
import { chromium } from 'playwright-core'
import { findChromium } from './browser.mjs'

const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Root in a container has no user namespaces to build a sandbox with; the pages are our own.
  '--no-sandbox',
  // Frames have storage of their own for each site that embeds them, as people’s browsers do. Playwright turns that off, by
  // a list of features of which the last one given counts.
  '--disable-features=HttpsUpgrades,PaintHolding,Translate',
]

/**
 * @returns {Promise<import('playwright-core').Browser>}
 * @throws {Error} that says what to install
 */
export async function launchBrowser() {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH to one.')
  return chromium.launch({ executablePath, headless: true, args: ARGS })
}

/**
 * The same with one unpacked extension, in a profile of its own. Chromium takes it by the command line; Chrome itself does not.
 * @param {string} folder the extension's
 * @returns {Promise<import('playwright-core').BrowserContext>}
 * @throws {Error} that says what to install
 */
export async function launchWithExtension(folder) {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH to one.')
  return chromium.launchPersistentContext('', {
    executablePath,
    headless: true,
    args: [...ARGS, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
}
