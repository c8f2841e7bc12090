/** Phantom and Solflare on a phone: out to the wallet and back, on good days and bad ones. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually, receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ phone: true })

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}
const WALLETS = ['Phantom', 'Solflare'] as const
type WalletName = (typeof WALLETS)[number]

/** On the phone's own page: how its wallets answer from now on. */
const answers = async ({ context }: Visitor, label: string): Promise<void> => {
  const page = await context.newPage()
  await page.goto(sandbox.phone.url)
  await page.getByLabel('Answers come').selectOption({ label })
  await page.close()
}
/** In the wallet, which is where the tab is now. */
const inWallet = (page: Page, title: string, button: 'Approve' | 'Reject' = 'Approve') =>
  page.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name: button }).click()
const choose = async ({ connectDialog }: Visitor, name: WalletName): Promise<void> => {
  await connectDialog.open()
  await connectDialog.choose(name)
}
/** The address that the wallet's own page shows. */
const addressAt = async ({ context }: Visitor, name: WalletName): Promise<string> => {
  const page = await context.newPage()
  await page.goto(sandbox.phone.url)
  const text = await page.getByRole('region', { name }).locator('.mono').textContent()
  await page.close()
  return text ?? ''
}
const isConnected = async ({ page }: Pick<Visitor, 'page'>, name: WalletName): Promise<void> => {
  await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name }).waitFor()
}
const connect = async (person: Visitor, name: WalletName): Promise<void> => {
  await choose(person, name)
  await inWallet(person.page, 'Connect')
  await isConnected(person, name)
}
const notice = ({ page }: Pick<Visitor, 'page'>, title: string) => page.getByText(title, { exact: true }).waitFor()
// Besides, the log sink has nobody to tell: there is no API in this sandbox.
const FAILED = /\[keybay\] (connect|sign\w+|disconnect) deep-link:|ERR_UNSAFE_PORT/

describe.each(WALLETS)('%s on a phone', name => {
  it('[S1.17] [S2.8] [S4.3] connects, and stays so over a reload and in a new tab; the address is as it was', async () => {
    const person = await sandbox.visit('/?tab=1#top', PHONE)
    await connect(person, name)
    expect(new URL(person.page.url())).toMatchObject({ pathname: '/', search: '?tab=1', hash: '#top' })
    const address = await addressAt(person, name)
    expect(await person.page.getByRole('main').textContent()).toContain(address.slice(0, 4))
    await person.page.reload()
    await isConnected(person, name)
    await isConnected(await person.newTab('/'), name)
  })
  it('[S2.7] signs a message, which verifies; a refusal says so', async () => {
    const person = await sandbox.visit('/', PHONE)
    await connect(person, name)
    const { page } = person
    await person.go('Sign')
    const message = await page.getByLabel('Message', { exact: true }).first().inputValue()
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message')
    await notice(person, 'Your wallet signed the message.')
    const signature = (await page.getByLabel('Signature', { exact: true }).textContent()) ?? ''
    expect(new URL(page.url())).toMatchObject({ pathname: '/sign', search: '' })
    const card = page.getByRole('region', { name: 'Verify' })
    await card.getByLabel('Message').fill(message)
    await card.getByLabel('Signature, base58').fill(signature)
    await card.getByLabel('Address').fill(await addressAt(person, name))
    await card.getByText('The signature is valid.').waitFor()
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message', 'Reject')
    await notice(person, 'Your wallet did not do it.')
  })
  it('[S2.7] signs one transaction and two, which the chain takes, and sends one itself', async () => {
    const person = await sandbox.visit('/', PHONE)
    await connect(person, name)
    const { page } = person
    await receiveAirdrop(person)
    await page.goto(`${sandbox.app.url}/lab`)
    for (const [button, title, said, count] of [
      ['Sign a transaction', 'Approve transaction', 'Your wallet signed the transaction.', 1],
      ['Sign two transactions', 'Approve transactions (2)', 'Your wallet signed the transactions.', 2],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await inWallet(page, title)
      await notice(person, said)
      await page.getByRole('button', { name: 'Send now' }).click()
      await eventually(() => page.locator('main a[href^="/tx/"]').count()).toBe(count)
    }
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await inWallet(page, 'Approve transaction')
    await notice(person, 'Your wallet sent the transaction.')
    await page.locator('main a[href^="/tx/"]').click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Success').first().waitFor()
  })
  it('[S4.4] disconnects: the wallet forgets the app, and nothing is left here', async () => {
    const person = await sandbox.visit('/', PHONE)
    await connect(person, name)
    const { page } = person
    await page
      .getByRole('button', { name: /^Disconnect/ })
      .first()
      .click()
    await notice(person, 'Your wallet has let go of this app.')
    expect(new URL(page.url()).search).toBe('')
    const state = await person.context.storageState({ indexedDB: true })
    const kept = state.origins.filter(({ origin }) => origin === sandbox.app.url)
    expect(JSON.stringify(kept)).not.toMatch(/deep-link:\w+:(session|pending)/)
    const phone = await person.context.newPage()
    await phone.goto(sandbox.phone.url)
    await phone.getByRole('region', { name }).getByText('No app is connected.').waitFor()
  })
  it('opens a new tab, as on iOS: that one and the one before are connected, and both have the signature', async () => {
    const person = await sandbox.visit('/', PHONE)
    await answers(person, 'In a new tab, as on iOS')
    await choose(person, name)
    const opened = person.context.waitForEvent('page')
    await inWallet(person.page, 'Connect')
    const page = await opened
    await isConnected({ page }, name)
    await page.getByRole('link', { name: 'Sign', exact: true }).click()
    await page.getByRole('button', { name: 'Sign message' }).click()
    const next = person.context.waitForEvent('page')
    await inWallet(page, 'Sign message')
    const back = await next
    await notice({ page: back }, 'Your wallet signed the message.')
  })
  it('the person steps back instead of answering: nobody is connected, and the next try works', async () => {
    const person = await sandbox.visit('/', PHONE)
    await choose(person, name)
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    await person.page.goBack()
    await person.page.getByRole('heading', { level: 1 }).waitFor()
    await person.page.reload()
    await connect(person, name)
  })
  it('is not installed: the person gets to know where to get it', async () => {
    const person = await sandbox.visit('/', PHONE)
    await answers(person, 'Not at all: the wallet is not installed')
    await choose(person, name)
    await person.page.getByRole('link', { name: 'Get the app' }).waitFor()
  })
  it.each(['With altered data', 'With data that is for another app', 'With another nonce', 'With error -32000'])(
    'answers come %s: a clear error, nobody is connected, and the next try works',
    async label => {
      const person = await sandbox.visit('/', { ...PHONE, expectTrouble: FAILED })
      await answers(person, label)
      await choose(person, name)
      await inWallet(person.page, 'Connect')
      await notice(person, 'Your wallet did not do it.')
      expect(new URL(person.page.url()).search).toBe('')
      await answers(person, 'As it should')
      await connect(person, name)
    },
  )
  it('an answer that comes a second time, or to somebody who never asked, is nobody’s', async () => {
    const person = await sandbox.visit('/', { ...PHONE, expectTrouble: FAILED })
    const returns: string[] = []
    person.page.on('request', request => {
      if (request.isNavigationRequest() && request.url().includes('keybay_return=')) returns.push(request.url())
    })
    await connect(person, name)
    const [back = ''] = returns.filter(url => url.startsWith(sandbox.app.url))
    await person.page.goto(back)
    await notice(person, 'Your wallet did not do it.')
    await isConnected(person, name)
    const stranger = await sandbox.visit('/', { ...PHONE, expectTrouble: FAILED })
    await stranger.page.goto(back)
    await notice(stranger, 'Your wallet did not do it.')
    expect(await stranger.page.getByRole('region', { name: 'Connected wallets' }).count()).toBe(0)
  })
})

it('where storage is blocked, the page is not left: a clear error', async () => {
  const person = await sandbox.visit('/', {
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
  await choose(person, 'Phantom')
  await person.page
    .getByText(/This browser keeps nothing for this page/)
    .first()
    .waitFor()
  expect(person.page.url()).toBe(`${sandbox.app.url}/`)
})

it('on a desktop neither is offered', async () => {
  const person = await sandbox.visit('/')
  await person.connectDialog.open()
  expect(await person.connectDialog.option('Phantom').count()).toBe(0)
})
