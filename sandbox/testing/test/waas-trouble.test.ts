import { expect, it } from 'vitest'
import { activeAddress, receiveAirdrop } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { agreeToSign, createWallet, openAdvanced, openSecurity, openWallets, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'
/** The browser logs each refusal or time-out of a service; the page shows its own text. */
const REFUSED = /status of 403/
const UNREACHABLE = /Failed to load resource/

it('says that the relay is down, keeps showing the wallets, and signs when the relay is back', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  const { page } = visitor
  const { R1 } = sandbox.walletServices.relays
  await signInByCode(sandbox, visitor, 'outage@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await R1.kill()
  await visitor.go('Sign')
  await page.getByRole('button', { name: 'Sign message' }).click()
  await agreeToSign(visitor, 'message')
  await page.getByText('Not signed.').waitFor()
  await page.getByText('The relay can’t be reached. Try again').first().waitFor()
  expect(await activeAddress(visitor)).toBe(address)
  await openWallets(visitor)
  await page.getByText('This may be out of date.').waitFor()
  await page.getByRole('link', { name: /^Security of/ }).waitFor()

  await R1.start()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This may be out of date.').waitFor({ state: 'hidden' })
  await signMessage(visitor, 'It is back')
})

it('asks in the wallet’s own window before a transfer, and refuses transfers that the user’s own rules forbid', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: REFUSED })
  const { page, send } = visitor
  await signInByCode(sandbox, visitor, 'rules@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await visitor.go('Overview')
  await receiveAirdrop(visitor)
  await visitor.go('Send')
  await send.fill(OTHER, '1.25')
  await send.submit.click()
  const frame = walletFrame(page)
  await frame.screen.getByText(OTHER).waitFor()
  await agreeToSign(visitor, 'transaction')
  await send.confirmed.waitFor()

  await openSecurity(visitor, address)
  await openAdvanced(visitor)
  await page.getByLabel('Most in 24 hours').fill('0.1')
  await page.getByRole('button', { name: 'Set the rules' }).click()
  await frame.agree('Change what this wallet may do?', 'Change')
  await page.getByText('The wallet signs transfers without asking, for up to 0.1 SOL a day').waitFor()
  await visitor.go('Send')
  await send.fill(OTHER, '0.2')
  await send.submit.click()
  await page.getByText('Not sent.').waitFor()
  // The page names the rule.
  await page.getByText('At most 0.1 SOL pass in 24 hours').first().waitFor()
  await visitor.go('Overview')
  await page.getByText('0.749995 SOL').waitFor()

  // Allowing more requires the user's consent.
  await openSecurity(visitor, address)
  await openAdvanced(visitor)
  await page.getByRole('button', { name: 'Ask before each signature' }).click()
  await frame.agree('Change what this wallet may do?', 'Change')
  await page.getByText('The wallet’s own window asks you before each signature').waitFor()
})
