/** Phantom and Solflare on a phone: out to the wallet and back, on good days and bad ones. */
import bs58 from 'bs58'
import type { BrowserContextOptions, Page } from 'playwright-core'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import { watchSecrets } from '../src/deep-link-secrets.js'
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
async function answers({ context }: Visitor, label: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(sandbox.phone.url)
  await page.getByLabel('Answers come').selectOption({ label })
  await page.close()
}
/** In the wallet, which is where the tab is now. */
function inWallet(page: Page, title: string, button: 'Approve' | 'Reject' = 'Approve') {
  return page.getByRole('dialog', { name: title, exact: true }).getByRole('button', { name: button }).click()
}

async function choose({ connectDialog }: Visitor, name: WalletName): Promise<void> {
  await connectDialog.open()
  await connectDialog.choose(name)
}
/** The address that the wallet's own page shows. */
async function addressAt({ context }: Visitor, name: WalletName): Promise<string> {
  const page = await context.newPage()
  await page.goto(sandbox.phone.url)
  const text = await page.getByRole('region', { name }).locator('.mono').textContent()
  await page.close()
  return text ?? ''
}

function wayOut(page: Page, name: string) {
  return page.getByRole('link', { name, exact: true }).click()
}

async function isConnected({ page }: Pick<Visitor, 'page'>, name: WalletName): Promise<void> {
  await page.getByRole('region', { name: 'Connected wallets' }).getByRole('heading', { name }).waitFor()
}

async function connect(person: Visitor, name: WalletName): Promise<void> {
  await choose(person, name)
  await inWallet(person.page, 'Connect')
  await isConnected(person, name)
}

function notice({ page }: Pick<Visitor, 'page'>, title: string) {
  return page.getByText(title, { exact: true }).waitFor()
}
// Besides, the log sink has nobody to tell: there is no API in this sandbox.
const FAILED = /\[keybay\] (connect|sign\w+|disconnect) deep-link:|ERR_UNSAFE_PORT/

/** How a phone takes the user to the wallet's app and back. */
const WAYS = ['in the same tab', 'in a new tab', 'in a new tab, while the page that asked was loaded anew'] as const
const ACTIONS = 'connect, signMessage, signTransaction, signAllTransactions, signAndSendTransaction, disconnect'

describe.each(WALLETS)('%s on a phone', name => {
  it.each(WAYS)(
    `[S1.17] [S2.7] [S2.8] [S4.3] [S4.4] ${ACTIONS}: answered %s; no secret is in the clear after any`,
    async way => {
      const person = await sandbox.visit('/', PHONE)
      const { context } = person
      if (way === 'in a new tab') await answers(person, 'In a new tab, as on iOS')
      const secrets = await watchSecrets(context, sandbox.app.url, sandbox.phone.url)
      let page = person.page
      await page.goto(`${sandbox.app.url}/?tab=1#top`)
      /** Asks here and answers in the wallet, on to the page that has the answer. @param title of the wallet's question */
      const trip = async (ask: () => Promise<void>, title?: string) => {
        const answer = (wallet: Page) => title && inWallet(wallet, title)
        if (way === 'in the same tab') {
          await ask()
          await answer(page)
        } else if (way === 'in a new tab') {
          const opened = context.waitForEvent('page')
          await ask()
          await answer(page)
          page = await opened
        } else {
          // The app comes to the front and leaves the page where it was.
          const app = await context.newPage()
          const leaving = page.waitForEvent('requestfailed', request => request.url().startsWith(sandbox.phone.url))
          await page.route(`${sandbox.phone.url}/**`, route => route.abort('aborted'))
          await ask()
          const address = (await leaving).url()
          await page.reload()
          await page.getByRole('heading', { level: 1 }).waitFor()
          await app.goto(address)
          await answer(app)
          page = app
        }
      }
      const isSafe = async () => expect(await secrets.leaks(page)).toEqual([])

      await trip(() => choose(person, name), 'Connect')
      await isConnected({ page }, name)
      expect(new URL(page.url())).toMatchObject({ pathname: '/', search: '?tab=1', hash: '#top' })
      const address = await addressAt(person, name)
      expect(await page.getByRole('main').textContent()).toContain(address.slice(0, 4))
      await isSafe()
      expect(secrets.known.map(one => one.split(' ')[0])).toEqual(['exchange', 'shared', 'token'])
      // Were one of them there, it would be found.
      const [token = ''] = secrets.known.filter(one => one.startsWith('token'))
      await page.evaluate(text => localStorage.setItem('found', text), token.split(' ')[1] ?? '')
      expect(await secrets.leaks(page)).toEqual([token])
      await page.evaluate(() => localStorage.removeItem('found'))
      await page.reload()
      await isConnected({ page }, name)
      await isConnected(await person.newTab('/'), name)

      await receiveAirdrop({ ...person, page })
      await wayOut(page, 'Sign')
      const message = await page.getByLabel('Message', { exact: true }).first().inputValue()
      await trip(() => page.getByRole('button', { name: 'Sign message' }).click(), 'Sign message')
      await notice({ page }, 'Your wallet signed the message.')
      expect(new URL(page.url())).toMatchObject({ pathname: '/sign', search: '' })
      const signature = (await page.getByLabel('Signature', { exact: true }).textContent()) ?? ''
      const [signed, signer] = [bs58.decode(signature), bs58.decode(address)]
      expect(nacl.sign.detached.verify(new TextEncoder().encode(message), signed, signer)).toBe(true)
      await isSafe()

      await page.goto(`${sandbox.app.url}/lab`)
      for (const [button, title, said, count] of [
        ['Sign a transaction', 'Approve transaction', 'Your wallet signed the transaction.', 1],
        ['Sign two transactions', 'Approve transactions (2)', 'Your wallet signed the transactions.', 2],
      ] as const) {
        await trip(() => page.getByRole('button', { name: button }).click(), title)
        await notice({ page }, said)
        await isSafe()
        // That the chain takes it does not depend on the way.
        if (way !== 'in the same tab') continue
        await page.getByRole('button', { name: 'Send now' }).click()
        await eventually(() => page.locator('main a[href^="/tx/"]').count()).toBe(count)
      }
      await trip(() => page.getByRole('button', { name: 'Sign and send' }).click(), 'Approve transaction')
      await notice({ page }, 'Your wallet sent the transaction.')
      await isSafe()
      await page.locator('main a[href^="/tx/"]').click()
      await page.getByText('Success').first().waitFor()

      await wayOut(page, 'Overview')
      await trip(() => page.getByRole('button', { name: `Disconnect ${name}` }).click())
      await notice({ page }, 'Your wallet has let go of this app.')
      expect(new URL(page.url()).search).toBe('')
      await isSafe()
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/deep-link/)
      const phone = await context.newPage()
      await phone.goto(sandbox.phone.url)
      await phone.getByRole('region', { name }).getByText('No app is connected.').waitFor()
    },
    120_000,
  )
})

describe('bad days', () => {
  const visit = () => sandbox.visit('/', { ...PHONE, expectTrouble: FAILED })
  const isNobody = async ({ page }: Pick<Visitor, 'page'>) => {
    await notice({ page }, 'Your wallet did not do it.')
    expect(new URL(page.url()).search).toBe('')
    expect(await page.getByRole('region', { name: 'Connected wallets' }).count()).toBe(0)
  }
  /** Every address that the wallet went back to. */
  const returnsOf = ({ context }: Visitor) => {
    const returns: string[] = []
    context.on('request', request => {
      const url = request.url()
      if (request.isNavigationRequest() && url.startsWith(sandbox.app.url) && url.includes('keybay_return='))
        returns.push(url)
    })
    return returns
  }
  it('the user refuses to connect, and to sign; the next try works', async () => {
    const person = await visit()
    const { page } = person
    await choose(person, 'Solflare')
    await inWallet(page, 'Connect', 'Reject')
    await isNobody(person)
    await connect(person, 'Solflare')
    await person.go('Sign')
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message', 'Reject')
    await notice(person, 'Your wallet did not do it.')
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message')
    await notice(person, 'Your wallet signed the message.')
  })
  it('the user steps back instead of answering: nobody is connected, and the next try works', async () => {
    const person = await sandbox.visit('/', PHONE)
    await choose(person, 'Phantom')
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    await person.page.goBack()
    await person.page.getByRole('heading', { level: 1 }).waitFor()
    await person.page.reload()
    await connect(person, 'Phantom')
  })
  it.each(WALLETS)('%s is not installed: the user gets to know where to get it', async name => {
    const person = await sandbox.visit('/', PHONE)
    await answers(person, 'Not at all: the wallet is not installed')
    await choose(person, name)
    await person.page.getByRole('link', { name: 'Get the app' }).waitFor()
  })
  it.each([
    ['With altered data', 'Phantom'],
    ['With data that is for another app', 'Solflare'],
    ['With another nonce', 'Phantom'],
    ['With a nonce of 12 bytes', 'Solflare'],
    ['With error -32000', 'Phantom'],
  ] as const)('answers come %s: a clear error, nobody is connected, and the next try works', async (label, name) => {
    const person = await visit()
    await answers(person, label)
    await choose(person, name)
    await inWallet(person.page, 'Connect')
    await isNobody(person)
    await answers(person, 'As it should')
    await connect(person, name)
  })
  it('somebody else signed: that is no answer, and the connection stays', async () => {
    const person = await visit()
    const { page } = person
    await connect(person, 'Solflare')
    await answers(person, 'Signed by another account')
    await person.go('Sign')
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message')
    await notice(person, 'Your wallet did not do it.')
    await person.go('Overview')
    await isConnected(person, 'Solflare')
  })
  it('an answer that comes an hour late is nobody’s', async () => {
    const person = await visit()
    await choose(person, 'Phantom')
    // In the wallet: what was asked has its time.
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    await person.page.clock.setSystemTime(Date.now() + 3_600_000)
    await inWallet(person.page, 'Connect')
    await isNobody(person)
  })
  it('an answer that comes a second time, or to somebody who never asked, is nobody’s', async () => {
    const person = await visit()
    const returns = returnsOf(person)
    await connect(person, 'Phantom')
    const [back = ''] = returns
    await person.page.goto(back)
    await notice(person, 'Your wallet did not do it.')
    await isConnected(person, 'Phantom')
    const stranger = await visit()
    await stranger.page.goto(back)
    await isNobody(stranger)
  })
  it('another app’s answer at the address that was asked for is nobody’s', async () => {
    const [person, other] = [await visit(), await visit()]
    const returns = returnsOf(other)
    await connect(other, 'Phantom')
    await choose(person, 'Phantom')
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    const asked = new URL(new URL(person.page.url()).searchParams.get('redirect_link') ?? '')
    const theirs = new URL(returns[0] ?? '')
    for (const name of ['phantom_encryption_public_key', 'data', 'nonce'])
      asked.searchParams.set(name, theirs.searchParams.get(name) ?? '')
    await person.page.goto(asked.href)
    await isNobody(person)
  })
  it('storage was cleared in between: the answer is nobody’s, and the next try works', async () => {
    const person = await visit()
    await choose(person, 'Solflare')
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    const devtools = await person.context.newCDPSession(person.page)
    await devtools.send('Storage.clearDataForOrigin', { origin: sandbox.app.url, storageTypes: 'all' })
    await inWallet(person.page, 'Connect')
    await isNobody(person)
    await connect(person, 'Solflare')
  })
  it('two requests to one wallet, from two tabs: the newer one counts, the older one is nobody’s', async () => {
    const person = await visit()
    await choose(person, 'Phantom')
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    const newer = await person.newTab('/')
    await newer.connectDialog.open()
    await newer.connectDialog.choose('Phantom')
    await newer.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    await inWallet(newer.page, 'Connect')
    await isConnected(newer, 'Phantom')
    await inWallet(person.page, 'Connect')
    await notice(person, 'Your wallet did not do it.')
    await isConnected(newer, 'Phantom')
  })
  it('two requests to one wallet, the older one answered first: the newer one still has its answer', async () => {
    const person = await visit()
    await choose(person, 'Phantom')
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    const newer = await person.newTab('/')
    await newer.connectDialog.open()
    await newer.connectDialog.choose('Phantom')
    await newer.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    await inWallet(person.page, 'Connect')
    await isNobody(person)
    await inWallet(newer.page, 'Connect')
    await isConnected(newer, 'Phantom')
  })
  it('two requests to two wallets, answered in the other order: each has its own', async () => {
    const person = await visit()
    await choose(person, 'Phantom')
    await person.page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
    const newer = await person.newTab('/')
    await newer.connectDialog.open()
    await newer.connectDialog.choose('Solflare')
    await inWallet(newer.page, 'Connect')
    await isConnected(newer, 'Solflare')
    await inWallet(person.page, 'Connect')
    for (const { page } of [person, newer]) for (const name of WALLETS) await isConnected({ page }, name)
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

it('on a desktop neither is offered; a window that is a phone has both, and finds the way back', async () => {
  const person = await sandbox.visit('/')
  const { page, connectDialog } = person
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
  await isConnected({ page: phone }, 'Solflare')
  expect(new URL(phone.url()).search).toBe('')
})
