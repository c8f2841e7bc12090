/** Acts as one user: the user's pages, and named parts of what they show. */
import type { BrowserContext, Page } from 'playwright-core'
import { accountPage, connectDialog, sendPage, signInDialog, walletWindow } from './pages.js'
import { settled, watchLoads } from './settled.js'

/** API of an app without accounts: browsers refuse the port. Only the log sink may call it; any other call fails a test. */
export const NO_API = 'http://api.app.localhost:9/api/v0'
const LOG_SINK = new URL('/api/v1/', NO_API).href

export type Tab = ReturnType<typeof createTab>
export type Visitor = Awaited<ReturnType<typeof createVisitor>>

function createTab(page: Page) {
  const dialog = connectDialog(page)
  const wallet = walletWindow(page)
  return {
    page,
    connectDialog: dialog,
    signInDialog: signInDialog(page),
    account: accountPage(page),
    wallet,
    send: sendPage(page),
    /** Navigates within the app, without a reload. */
    go: (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click(),
    /** Connects the sandbox wallet, as a user does. */
    async connect() {
      await dialog.open()
      await dialog.choose('Sandbox Wallet')
      await wallet.approve('Connect')
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    },
  }
}

export async function createVisitor(
  context: BrowserContext,
  { base, expectTrouble }: { readonly base: string; readonly expectTrouble: RegExp | undefined },
) {
  /** Errors of the pages: exceptions, the console, violations of the content security policy. */
  const troubles: string[] = []
  context.on('console', message => {
    const isExpected = message.location().url.startsWith(LOG_SINK) || expectTrouble?.test(message.text())
    if (message.type() === 'error' && !isExpected) troubles.push(message.text())
  })
  context.on('weberror', error => troubles.push(String(error.error())))
  /**
   * Loads a page, and waits until the app has replaced the static page that the server sends, which takes no keys, and
   * has all its parts.
   */
  const load = async (page: Page, path: string) => {
    await page.goto(base + path)
    await page.locator('#main').getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
  }
  watchLoads(context)
  const first = createTab(await context.newPage())
  return {
    ...first,
    context,
    troubles,
    /** Loads an address in the first tab. */
    open: (path: string) => load(first.page, path),
    /** Opens another tab of the same browser. */
    async newTab(path = '/') {
      const page = await context.newPage()
      await load(page, path)
      return createTab(page)
    },
  }
}
