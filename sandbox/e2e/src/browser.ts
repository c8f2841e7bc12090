/** Chromium, started once per test file. */
import { findChromium } from '@keybay/sandbox-tools/browser'
import { type Browser, chromium } from 'playwright-core'

const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Root in a container has no user namespaces to build a sandbox with; the pages are our own.
  '--no-sandbox',
]

/** @throws Error that says what to install */
export const launchBrowser = async (): Promise<Browser> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: install it, or set CHROMIUM_PATH to one.')
  return chromium.launch({ executablePath, headless: true, args: ARGS })
}
