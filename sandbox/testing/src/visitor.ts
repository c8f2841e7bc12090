/** Acts as one user: the user's pages, and named parts of what they show. */
import type { BrowserContext, Page } from 'playwright-core'
import { type AccountPage, accountPage } from './pages/account-page.js'
import { type ConnectDialog, connectDialog } from './pages/connect-dialog.js'
import { type SendPage, sendPage } from './pages/send-page.js'
import { type SignInDialog, signInDialog } from './pages/sign-in-dialog.js'
import { type WalletWindow, walletWindow } from './pages/wallet-window.js'

export interface Tab {
  readonly page: Page
  readonly connectDialog: ConnectDialog
  readonly signInDialog: SignInDialog
  readonly account: AccountPage
  readonly wallet: WalletWindow
  readonly send: SendPage
  /** Navigates within the app, without a reload. */
  go(name: string): Promise<void>
  /** Connects the sandbox wallet, as a user does. */
  connect(): Promise<void>
}
export interface Visitor extends Tab {
  readonly context: BrowserContext
  /** Errors of the pages: exceptions, the console, violations of the content security policy. */
  readonly troubles: readonly string[]
  /** Loads an address in the first tab. */
  open(path: string): Promise<void>
  /** Opens another tab of the same browser. */
  newTab(path?: string): Promise<Tab>
}

function createTab(page: Page): Tab {
  const dialog = connectDialog(page)
  const wallet = walletWindow(page)
  return {
    page,
    connectDialog: dialog,
    signInDialog: signInDialog(page),
    account: accountPage(page),
    wallet,
    send: sendPage(page),
    go: name => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click(),
    async connect() {
      await dialog.open()
      await dialog.choose('Sandbox Wallet')
      await wallet.approve('Connect')
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    },
  }
}

export function createVisitor(
  context: BrowserContext,
  { base, expectTrouble }: { readonly base: string; readonly expectTrouble: RegExp | undefined },
): Visitor {
  const troubles: string[] = []
  context.on('console', message => {
    if (message.type() === 'error' && !expectTrouble?.test(message.text())) troubles.push(message.text())
  })
  context.on('weberror', error => troubles.push(String(error.error())))
  /** Loads a page, and waits until the app has drawn its first screen, which comes after the browser's own “load”. */
  const load = async (page: Page, path: string) => {
    await page.goto(base + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const pages = context.newPage().then(createTab)
  let first: Tab | undefined
  const tab = (): Tab => {
    if (!first) throw new Error('open() comes first')
    return first
  }
  return {
    context,
    troubles,
    get page() {
      return tab().page
    },
    get connectDialog() {
      return tab().connectDialog
    },
    get signInDialog() {
      return tab().signInDialog
    },
    get account() {
      return tab().account
    },
    get wallet() {
      return tab().wallet
    },
    get send() {
      return tab().send
    },
    go: name => tab().go(name),
    connect: () => tab().connect(),
    async open(path) {
      first ??= await pages
      await load(first.page, path)
    },
    async newTab(path = '/') {
      const page = await context.newPage()
      await load(page, path)
      return createTab(page)
    },
  }
}
