/**
 * Tests journeys to Phantom and Solflare on a phone and back. `plugins/deep-link/test` covers wrong, late, foreign and
 * second responses, with the same phone.
 */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import { watchSecrets } from '../src/deep-link-secrets.js'
import { beginTokenTransfer, receiveAirdrop } from '../src/flows.js'
import { IN_NEW_TAB, inWallet, PHONE, setAnswers } from '../src/flows-deep-link.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ phone: true })
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'
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

/** This sandbox has no API. */
const FAILED = /\[keybay\] (connect|sign\w+|disconnect) deep-link:|ERR_UNSAFE_PORT/

const TAGS = '[S1.17] [S2.7] [S2.8] [S4.3] [S4.4]'

it.each([
  ['Phantom', 'the same tab'],
  ['Solflare', 'a new tab'],
] as const)(
  `${TAGS} %s connects, signs, sends and disconnects with answers in %s, and leaves no secret in the clear`,
  async (name, way) => {
    const visitor = await sandbox.visit('/', PHONE)
    let { page } = visitor
    if (way === 'a new tab') await setAnswers(visitor, sandbox.phone.url, IN_NEW_TAB)
    const secrets = await watchSecrets(visitor.context, sandbox.app.url, sandbox.phone.url)
    await page.goto(`${sandbox.app.url}/?tab=1#top`)
    /** Sends a request and approves it in the wallet. Then no secret may be in the clear. */
    const trip = async (request: () => Promise<void>, title: string | undefined, expected: () => Promise<void>) => {
      const opening = way === 'a new tab' ? visitor.context.waitForEvent('page') : undefined
      await request()
      if (title) await inWallet(page, title)
      page = (await opening) ?? page
      await expected()
      expect(await secrets.leaks(page)).toEqual([])
    }
    const press = (button: string) => () => page.getByRole('button', { name: button }).click()
    const notice = (text: string | RegExp) => () => page.getByText(text, { exact: true }).waitFor()
    const go = (link: string) => page.getByRole('link', { name: link, exact: true }).click()
    const openPhone = async () => {
      const phone = await visitor.context.newPage()
      await phone.goto(sandbox.phone.url)
      return phone.getByRole('region', { name })
    }

    await trip(
      () => choose(visitor, name),
      'Connect',
      () => waitForConnection({ page }, name),
    )
    expect(new URL(page.url())).toMatchObject({ pathname: '/', search: '?tab=1', hash: '#top' })
    const phone = await openPhone()
    const address = (await phone.locator('.mono').textContent()) ?? ''
    await phone.page().close()
    await expect.poll(() => page.getByRole('main').textContent()).toContain(address.slice(0, 4))
    // A secret in the clear would fail the test.
    expect(secrets.known.map(secret => secret.split(' ')[0])).toEqual(['exchange', 'shared', 'token'])
    const [token = ''] = secrets.known.filter(secret => secret.startsWith('token'))
    await page.evaluate(text => localStorage.setItem('leak', text), token.split(' ')[1] ?? '')
    expect(await secrets.leaks(page)).toEqual([token])
    await page.evaluate(() => localStorage.removeItem('leak'))
    await page.reload()
    await waitForConnection({ page }, name)
    await receiveAirdrop({ ...visitor, page })

    await go('Sign')
    const message = await page.getByLabel('Message', { exact: true }).first().inputValue()
    await trip(press('Sign message'), 'Sign message', notice('Your wallet signed the message.'))
    expect(new URL(page.url())).toMatchObject({ pathname: '/sign', search: '' })
    const signature = (await page.getByLabel('Signature', { exact: true }).textContent()) ?? ''
    const bytes = new TextEncoder().encode(message)
    expect(nacl.sign.detached.verify(bytes, bs58.decode(signature), bs58.decode(address))).toBe(true)
    await page.goto(`${sandbox.app.url}/lab`)
    await trip(press('Sign a transaction'), 'Approve transaction', notice('Your wallet signed the transaction.'))
    await trip(
      press('Sign two transactions'),
      'Approve transactions (2)',
      notice('Your wallet signed the transactions.'),
    )
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => page.locator('main a[href^="/tx/"]').count()).toBe(2)
    await trip(press('Sign and send'), 'Approve transaction', notice('Your wallet sent the transaction.'))
    await page.locator('main a[href^="/tx/"]').click()
    await page.getByText('Success').first().waitFor()

    await go('Overview')
    await trip(press(`Disconnect ${name}`), undefined, notice(/^Your wallet .* this app\.$/))
    expect(new URL(page.url()).search).toBe('')
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/deep-link/)
    await (await openPhone()).getByText('No app is connected.').waitFor()
  },
)

it('connects after the user went back from the wallet without answering, and the wallet shows the amount of a token and who gets it', async () => {
  const visitor = await sandbox.visit('/', PHONE)
  const { page } = visitor
  await choose(visitor, 'Phantom')
  await page.getByRole('dialog', { name: 'Connect', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await connect(visitor, 'Phantom')
  await receiveAirdrop(visitor)
  await beginTokenTransfer(visitor, OTHER, '1.5')
  const request = page.getByRole('dialog', { name: 'Approve transaction', exact: true })
  await request.getByText('1.5 DEMO').waitFor()
  await request.getByText(OTHER).first().waitFor()
})

describe('without an answer or with a refusal', () => {
  it('reports that the wallet refused to connect or to sign, and the next deep-link requests work', async () => {
    const visitor = await sandbox.visit('/', { ...PHONE, expectTrouble: FAILED })
    const { page } = visitor
    await choose(visitor, 'Solflare')
    await inWallet(page, 'Connect', 'Reject')
    await waitForNotice(visitor, 'Your wallet did not do it.')
    expect(new URL(page.url()).search).toBe('')
    await expect.poll(() => page.getByRole('region', { name: 'Connected wallets' }).count()).toBe(0)
    await connect(visitor, 'Solflare')
    await visitor.go('Sign')
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message', 'Reject')
    await waitForNotice(visitor, 'Your wallet did not do it.')
    await page.getByRole('button', { name: 'Sign message' }).click()
    await inWallet(page, 'Sign message')
    await waitForNotice(visitor, 'Your wallet signed the message.')
  })
  it('links to the wallet’s app when the wallet is not installed', async () => {
    const visitor = await sandbox.visit('/', PHONE)
    await setAnswers(visitor, sandbox.phone.url, 'Not at all: the wallet is not installed')
    await choose(visitor, 'Solflare')
    await visitor.page.getByRole('link', { name: 'Get the app' }).waitFor()
  })
})

it('does not list Phantom and Solflare on a desktop, and lists both in a window that simulates a phone', async () => {
  const { page, connectDialog } = await sandbox.visit('/')
  await connectDialog.open()
  await expect.poll(() => connectDialog.option('Phantom').count()).toBe(0)
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
