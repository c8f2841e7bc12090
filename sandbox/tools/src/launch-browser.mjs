/** Launches Chromium for a test or a measurement. The only command here that needs installed packages. */
import { chromium } from 'playwright-core'
import { findChromium, findHeadlessShell } from './browser.mjs'
import { atEndOfRun } from './end-of-run.mjs'

const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Root in a container has no user namespaces for Chromium's sandbox; the tests load only our own pages.
  '--no-sandbox',
]

/**
 * Gives a frame separate storage for each site that embeds it, as users' browsers do. Playwright disables this in its
 * list of features; Chromium uses the last list. Without this argument such a frame cannot store anything.
 */
const PARTITIONED_STORAGE = '--disable-features=HttpsUpgrades,PaintHolding,Translate'

/** @returns {string} path of the program */
function requireChromium() {
  const path = findChromium()
  if (!path) throw new Error('Chromium not found. Install it, or set CHROMIUM_PATH to its program.')
  return path
}

/**
 * @param {object} [options]
 * @param {boolean} [options.isStorageBlocked] embedded frames cannot store anything
 * @param {Readonly<Record<string, string>>} [options.hosts] host and port in a page's addresses → where the browser finds it
 * @returns {Promise<import('playwright-core').Browser>}
 * @throws {Error} if Chromium is not installed
 */
export async function launchBrowser({ isStorageBlocked = false, hosts = {} } = {}) {
  const rules = Object.entries(hosts).map(([host, target]) => `MAP ${host} ${target}`)
  const args = [
    ...ARGS,
    ...(isStorageBlocked ? [] : [PARTITIONED_STORAGE]),
    ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join(', ')}`] : []),
  ]
  // Only the whole Chromium blocks the storage of frames.
  const shell = isStorageBlocked ? undefined : findHeadlessShell()
  return chromium.launch({ executablePath: shell ?? requireChromium(), headless: true, args })
}

/** @type {Map<boolean, Promise<import('playwright-core').Browser>>} */
const shared = new Map()

/**
 * Returns the browser of the run, for projects with the environment `end-of-run`: a new profile takes milliseconds, a new
 * browser more than a second of processor time.
 * @param {object} [options]
 * @param {boolean} [options.isStorageBlocked] embedded frames cannot store anything
 * @returns {Promise<import('playwright-core').Browser>}
 * @throws {Error} if Chromium is not installed
 */
export async function shareBrowser({ isStorageBlocked = false } = {}) {
  const running = shared.get(isStorageBlocked)
  if (running && (await running.catch(() => undefined))?.isConnected()) return running
  const launching = launchBrowser({ isStorageBlocked })
  shared.set(isStorageBlocked, launching)
  const browser = await launching
  atEndOfRun(() => browser.close())
  return browser
}

/**
 * Launches Chromium with one unpacked extension, in a new profile. Chrome does not accept extensions by command line.
 * @param {string} folder the extension's folder
 * @returns {Promise<import('playwright-core').BrowserContext>}
 * @throws {Error} if Chromium is not installed
 */
export async function launchWithExtension(folder) {
  return chromium.launchPersistentContext('', {
    executablePath: requireChromium(),
    headless: true,
    args: [...ARGS, PARTITIONED_STORAGE, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
}
