/**
 * Tests journeys to Phantom and Solflare on a phone and back. `plugins/deep-link/test` covers wrong, late, foreign and
 * second responses, with the same phone.
 */
import bs58 from 'bs58'
import type { BrowserContext, Page } from 'playwright-core'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import { type Secrets, watchSecrets } from '../src/deep-link-secrets.js'
import { eventually, receiveAirdrop } from '../src/flows.js'
import { IN_NEW_TAB, inWallet, PHONE, setAnswers } from '../src/flows-deep-link.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ phone: true })
type WalletName = 'Phantom' | 'Solflare'

async function choose({ connectDialog }: Visitor, name: WalletName): Promise<void> {
  await connectDialog.open()
  await connectDialog.choose(name)
}

async function waitForConnection({ page }: Pick<Visitor, 'page'>, name: WalletName): Promise<void> {
  await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name }).waitFor()
}

async function connect(visitor: Visitor, name: WalletName): Promise<void> {
  await choose(visitor, name)
  await inWallet(visitor.page, 'Connect')
  await waitForConnection(visitor, name)
}

function waitForNotice({ page }: Pick<Visitor, 'page'>, title: string) {
  return page.getByText(title, { exact: true }).waitFor()
}

async function expectNoConnection({ page }: Pick<Visitor, 'page'>) {
  await waitForNotice({ page }, 'Your wallet did not do it.')
  expect(new URL(page.url()).search).toBe('')
  expect(await page.getByRole('region', { name: 'Connected wallets' }).count()).toBe(0)
}
/** The log sink fails too: this sandbox has no API. */
const FAILED = /\[keybay\] (connect|sign\w+|disconnect) deep-link:|ERR_UNSAFE_PORT/

/** Ways in which a phone takes the user to the wallet's app and back. Each returns the page with the answer. */
const WAYS = {
  async 'the same tab'(page: Page, request: () => Promise<void>, answer: (wallet: Page) => Promise<void>) {
    await request()
    await answer(page)
    return page
  },
  async 'a new tab'(page: Page, request: () => Promise<void>, answer: (wallet: Page) => Promise<void>) {
    const opened = page.context().waitForEvent('page')
    await request()
    await answer(page)
    return opened
  },
  /** The app comes to the front and leaves the page where it was. */
  async 'a new tab, after the requesting page was reloaded'(
    page: Page,
    request: () => Promise<void>,
    answer: (wallet: Page) => Promise<void>,
  ) {
    const app = await page.context().newPage()
    const leaving = page.waitForEvent('requestfailed', failed => failed.url().startsWith(sandbox.phone.url))
    await page.route(`${sandbox.phone.url}/**`, route => route.abort('aborted'))
    await request()
    const address = (await leaving).url()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await app.goto(address)
    await answer(app)
    return app
  },
}

class Journey {
  page: Page
  address = ''
  readonly #name: WalletName
  readonly #way: keyof typeof WAYS
  readonly #visitor: Visitor
  readonly #secrets: Secrets

  private constructor(name: WalletName, way: keyof typeof WAYS, visitor: Visitor, secrets: Secrets) {
    this.#name = name
    this.#way = way
    this.#visitor = visitor
    this.#secrets = secrets
    this.page = visitor.page
  }
  static async start(name: WalletName, way: keyof typeof WAYS): Promise<Journey> {
    const visitor = await sandbox.visit('/', PHONE)
    if (way === 'a new tab') await setAnswers(visitor, sandbox.phone.url, IN_NEW_TAB)
    const secrets = await watchSecrets(visitor.context, sandbox.app.url, sandbox.phone.url)
    await visitor.page.goto(`${sandbox.app.url}/?tab=1#top`)
    return new Journey(name, way, visitor, secrets)
  }
  get context(): BrowserContext {
    return this.#visitor.context
  }
  /** Sends a request and approves it in the wallet. Then no secret may be in the clear. */
  async #trip(request: () => Promise<void>, title: string | undefined, expected: () => Promise<void>) {
    this.page = await WAYS[this.#way](this.page, request, async wallet => {
      if (title) await inWallet(wallet, title)
    })
    await expected()
    expect(await this.#secrets.leaks(this.page)).toEqual([])
  }
  async connect() {
    await this.#trip(
      () => choose(this.#visitor, this.#name),
      'Connect',
      () => waitForConnection(this, this.#name),
    )
    expect(new URL(this.page.url())).toMatchObject({ pathname: '/', search: '?tab=1', hash: '#top' })
    const phone = await this.#openPhone()
    this.address = (await phone.locator('.mono').textContent()) ?? ''
    await phone.page().close()
    expect(await this.page.getByRole('main').textContent()).toContain(this.address.slice(0, 4))
  }
  /** Shows that a secret in the clear would fail the test. */
  async checkSecrets() {
    const { known } = this.#secrets
    expect(known.map(secret => secret.split(' ')[0])).toEqual(['exchange', 'shared', 'token'])
    const [token = ''] = known.filter(secret => secret.startsWith('token'))
    await this.page.evaluate(text => localStorage.setItem('leak', text), token.split(' ')[1] ?? '')
    expect(await this.#secrets.leaks(this.page)).toEqual([token])
    await this.page.evaluate(() => localStorage.removeItem('leak'))
  }
  async signMessage() {
    await this.go('Sign')
    const message = await this.page.getByLabel('Message', { exact: true }).first().inputValue()
    await this.#trip(
      () => this.page.getByRole('button', { name: 'Sign message' }).click(),
      'Sign message',
      () => waitForNotice(this, 'Your wallet signed the message.'),
    )
    expect(new URL(this.page.url())).toMatchObject({ pathname: '/sign', search: '' })
    const signature = (await this.page.getByLabel('Signature', { exact: true }).textContent()) ?? ''
    const bytes = new TextEncoder().encode(message)
    expect(nacl.sign.detached.verify(bytes, bs58.decode(signature), bs58.decode(this.address))).toBe(true)
  }
  async signTransactions(button: string, title: string, notice: string) {
    await this.#trip(
      () => this.page.getByRole('button', { name: button }).click(),
      title,
      () => waitForNotice(this, notice),
    )
  }
  async disconnect() {
    await this.go('Overview')
    await this.#trip(
      () => this.page.getByRole('button', { name: `Disconnect ${this.#name}` }).click(),
      undefined,
      () => waitForNotice(this, 'Your wallet has disconnected from this app.'),
    )
    expect(new URL(this.page.url()).search).toBe('')
    expect(await this.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/deep-link/)
    await (await this.#openPhone()).getByText('No app is connected.').waitFor()
  }
  receiveAirdrop() {
    return receiveAirdrop({ ...this.#visitor, page: this.page })
  }
  async go(name: string) {
    await this.page.getByRole('link', { name, exact: true }).click()
  }
  async #openPhone() {
    const page = await this.context.newPage()
    await page.goto(sandbox.phone.url)
    return page.getByRole('region', { name: this.#name })
  }
}
const TAGS = '[S1.17] [S2.7] [S2.8] [S4.3] [S4.4]'

it.each([
  ['Phantom', 'the same tab'],
  ['Solflare', 'a new tab'],
] as const)(
  `${TAGS} %s connects, signs, sends and disconnects with answers in %s, and leaves no secret in the clear`,
  async (name, way) => {
    const journey = await Journey.start(name, way)
    await journey.connect()
    await journey.checkSecrets()
    await journey.page.reload()
    await waitForConnection(journey, name)
    await journey.receiveAirdrop()
    await journey.signMessage()
    await journey.page.goto(`${sandbox.app.url}/lab`)
    await journey.signTransactions('Sign a transaction', 'Approve transaction', 'Your wallet signed the transaction.')
    await journey.signTransactions(
      'Sign two transactions',
      'Approve transactions (2)',
      'Your wallet signed the transactions.',
    )
    await journey.page.getByRole('button', { name: 'Send now' }).click()
    await eventually(() => journey.page.locator('main a[href^="/tx/"]').count()).toBe(2)
    await journey.signTransactions('Sign and send', 'Approve transaction', 'Your wallet sent the transaction.')
    await journey.page.locator('main a[href^="/tx/"]').click()
    await journey.page.getByText('Success').first().waitFor()
    await journey.disconnect()
  },
)
it('Phantom connects and signs with answers in a new tab after the requesting page was reloaded', async () => {
  const journey = await Journey.start('Phantom', 'a new tab, after the requesting page was reloaded')
  await journey.connect()
  await journey.signMessage()
})

describe('without an answer or with a refusal', () => {
  it('reports that the wallet refused to connect or to sign, and the next deep-link requests work', async () => {
    const visitor = await sandbox.visit('/', { ...PHONE, expectTrouble: FAILED })
    const { page } = visitor
    await choose(visitor, 'Solflare')
    await inWallet(page, 'Connect', 'Reject')
    await expectNoConnection(visitor)
    await connect(visitor, 'Solflare')
    await visitor.go('Sign')
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message', 'Reject')
    await waitForNotice(visitor, 'Your wallet did not do it.')
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message')
    await waitForNotice(visitor, 'Your wallet signed the message.')
  })
  it('connects after the user went back from the wallet without answering', async () => {
    const visitor = await sandbox.visit('/', PHONE)
    const { page } = visitor
    await choose(visitor, 'Phantom')
    await page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await connect(visitor, 'Phantom')
  })
  it('links to the wallet’s app when the wallet is not installed', async () => {
    const visitor = await sandbox.visit('/', PHONE)
    await setAnswers(visitor, sandbox.phone.url, 'Not at all: the wallet is not installed')
    await choose(visitor, 'Solflare')
    await visitor.page.getByRole('link', { name: 'Get the app' }).waitFor()
  })
  it('accepts only the response to the newer of two connect requests from two tabs', async () => {
    const visitor = await sandbox.visit('/', { ...PHONE, expectTrouble: FAILED })
    await choose(visitor, 'Phantom')
    await visitor.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    const newer = await visitor.newTab('/')
    await newer.connectDialog.open()
    await newer.connectDialog.choose('Phantom')
    await newer.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    await inWallet(visitor.page, 'Connect')
    await expectNoConnection(visitor)
    await inWallet(newer.page, 'Connect')
    await waitForConnection(newer, 'Phantom')
  })
})

it('shows an error and does not open the wallet when storage is blocked', async () => {
  const visitor = await sandbox.visit('/', {
    ...PHONE,
    expectTrouble: FAILED,
    initScript: () => {
      Object.defineProperty(window, 'indexedDB', {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    },
  })
  await choose(visitor, 'Phantom')
  const error = visitor.page.getByText(/This browser blocks storage for this page/)
  await error.first().waitFor()
  expect(visitor.page.url()).toBe(`${sandbox.app.url}/`)
})

it('does not list Phantom and Solflare on a desktop, and lists both in a window that simulates a phone', async () => {
  const { page, connectDialog } = await sandbox.visit('/')
  await connectDialog.open()
  expect(await connectDialog.option('Phantom').count()).toBe(0)
  await page.getByText('My wallet is on my phone').click()
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Open a phone in a window' }).click()
  const phone = await opening
  await phone.getByRole('button', { name: 'Connect wallet', exact: true }).first().click()
  expect(await phone.evaluate('innerWidth')).toBeLessThan(500)
  await phone.getByRole('dialog').getByRole('button', { name: 'Solflare' }).click()
  await inWallet(phone, 'Connect')
  await waitForConnection({ page: phone }, 'Solflare')
  expect(new URL(phone.url()).search).toBe('')
})
