import { press } from '@keybay/sandbox-tools/testing/press'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import { activeAddress, connectedWallets, receiveAirdrop } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { readBalance } from '../src/flows-delegates.js'
import {
  agreeToSign,
  askToSign,
  createWallet,
  openAdvanced,
  openSecurity,
  openWallets,
  PASSWORD,
  refreshShares,
  shownWallet,
  signedMessage,
  signMessage,
} from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })
/** Mint of the demo token. */
const DEMO = '2BUisbSVMhutnXfLtGgdyqXdXgL59BqJ9ehqcfZSC4JP'
const OTHER = 'GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W'

it('[S1.7] [S1.10] creates a wallet, signs, sends SOL, connects it again in the connect dialog, refreshes the shares to a new epoch and backup of the same address, and signs after a reload', async () => {
  const visitor = await sandbox.visit()
  const { page, send, connectDialog } = visitor
  await signInByCode(sandbox, visitor, 'first@example.com')
  const { address, backup } = await createWallet(visitor)
  expect(backup?.length).toBeGreaterThan(200)
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  await signMessage(visitor, 'Grüße from a wallet of two parties')

  await visitor.go('Overview')
  await receiveAirdrop(visitor)
  await visitor.go('Send')
  await send.fill(OTHER, '0.25')
  await send.submit.click()
  await agreeToSign(visitor, 'transaction')
  await send.confirmed.waitFor()
  await visitor.go('Overview')
  await page.getByText('1.749995 SOL').waitFor()

  await page.getByRole('button', { name: 'Disconnect Keybay wallet' }).click()
  await connectDialog.open()
  await connectDialog.choose('Keybay wallet')
  await expect.poll(() => activeAddress(visitor)).toBe(address)

  await openSecurity(visitor, address)
  await openAdvanced(visitor)
  await page.getByText('0 · the first parts').waitFor()
  const next = await refreshShares(visitor, '2 of 3')
  expect(next?.equals(backup ?? Buffer.alloc(0))).toBe(false)
  await page.getByText('1 · older parts are worthless').waitFor()
  await signMessage(visitor, 'With new parts')
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  await page.reload()
  await expect.poll(() => activeAddress(visitor)).toBe(address)
  await signMessage(visitor, 'And after a reload')
})

it('asks before the first transfer, sends the next one silently after a grant, asks again once it is ended under Security, and refuses transfers that the user’s own rules forbid', async () => {
  // The browser logs the refusal.
  const visitor = await sandbox.visit('/', { expectTrouble: /status of 403/ })
  const { page, send } = visitor
  await signInByCode(sandbox, visitor, 'granting@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  await visitor.go('Overview')
  await receiveAirdrop(visitor)
  const pay = async (amount: string) => {
    await visitor.go('Send')
    await send.fill(OTHER, amount)
    await send.submit.click()
  }
  await pay('0.1')
  const { screen } = walletFrame(page)
  await press(screen.getByRole('checkbox', { name: 'Don’t ask again' }))
  await screen.getByLabel('SOL a day').fill('0.5')
  await agreeToSign(visitor, 'transaction')
  await send.confirmed.waitFor()

  // The app asks before it sends the same again within 30 seconds.
  await pay('0.11')
  await send.confirmed.waitFor()
  await askToSign(visitor, 'Not covered')
  await agreeToSign(visitor, 'message')
  await signedMessage(visitor, 'Not covered')

  await visitor.go('Overview')
  await page.getByRole('button', { name: 'Get test tokens' }).click()
  await page.getByRole('region', { name: 'Tokens' }).getByText('100 DEMO').waitFor()
  const sendDemo = async (amount: string) => {
    await visitor.go('Overview')
    await page.getByRole('link', { name: 'Send DEMO', exact: true }).click()
    await page.getByText('DEMO available').waitFor()
    await send.fill(OTHER, amount)
    await send.submit.click()
  }
  await sendDemo('1.5')
  await press(screen.getByRole('checkbox', { name: 'Don’t ask again' }))
  await expect.poll(() => screen.getByLabel('SOL a day').inputValue()).toBe('0.5')
  await screen.getByLabel(`${DEMO} a day`).fill('25')
  await agreeToSign(visitor, 'transaction')
  await send.confirmed.waitFor()
  await sendDemo('1.6')
  await send.confirmed.waitFor()

  await openSecurity(visitor, address)
  await openAdvanced(visitor)
  const rules = page.getByRole('region', { name: 'Rules' })
  await rules.getByText('This app sends up to 0.5 SOL and 25 DEMO a day without asking.').waitFor()
  await rules.getByRole('button', { name: 'Ask before each signature' }).click()
  await rules.getByText('The wallet’s own window asks you before each signature.').waitFor()
  await pay('0.12')
  await agreeToSign(visitor, 'transaction')
  await send.confirmed.waitFor()

  await openSecurity(visitor, address)
  await openAdvanced(visitor)
  await page.getByLabel('Most in 24 hours').fill('0.1')
  await page.getByRole('button', { name: 'Set the rules' }).click()
  const frame = walletFrame(page)
  await frame.agree('Change what this wallet may do?', 'Change')
  await page.getByText('The wallet signs transfers without asking, for up to 0.1 SOL a day').waitFor()
  const before = await readBalance(sandbox, address)
  await pay('0.2')
  await page.getByText('Not sent.').waitFor()
  // The page names the rule.
  await page.getByText('At most 0.1 SOL pass in 24 hours').first().waitFor()
  expect(await readBalance(sandbox, address)).toBe(before)

  // Allowing more requires the user's consent.
  await openSecurity(visitor, address)
  await openAdvanced(visitor)
  await page.getByRole('button', { name: 'Ask before each signature' }).click()
  await frame.agree('Change what this wallet may do?', 'Change')
  await page.getByText('The wallet’s own window asks you before each signature').waitFor()
})

it('[S1.7] creates a 3-of-5 wallet whose key was never assembled, and lists several embedded wallets next to a wallet of another kind', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await visitor.connect()
  await signInByCode(sandbox, visitor, 'several@example.com')
  const first = await createWallet(visitor, { scheme: '3 of 5', exportable: false })
  await openAdvanced(visitor)
  await page.getByText('Made here; its key was never whole').waitFor()
  await page.getByRole('img', { name: 'The key has 5 parts, and any 3 of them sign.' }).waitFor()
  await page.getByText('Second service', { exact: true }).waitFor()
  const second = await createWallet(visitor, { scheme: '2 of 2' })
  await openWallets(visitor)
  const walletItems = page.getByRole('list', { name: 'Your wallets' }).getByRole('listitem')
  await expect.poll(() => walletItems.count()).toBe(2)

  await visitor.go('Overview')
  await expect.poll(() => connectedWallets(visitor)).toEqual(['Sandbox Wallet', 'Keybay wallet'])
  for (const { address } of [first, second]) {
    await page.getByRole('radio', { name: `${address.slice(0, 6)}…${address.slice(-6)}` }).check()
    await expect.poll(() => activeAddress(visitor)).toBe(address)
    await signMessage(visitor, `By ${address}`)
    await visitor.go('Overview')
  }
})

it('[S1.7] [S1.9] imports a key from web3.js, signs with it, and shows the exported key only in the wallet’s window, with which web3.js signs for the same address', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  const pair = Keypair.generate()
  const secret = bs58.encode(pair.secretKey)
  await signInByCode(sandbox, visitor, 'import@example.com')
  await openWallets(visitor)
  await page.getByRole('link', { name: 'Import a key' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Enter the key' }).click()
  const frame = walletFrame(page)
  await frame.choosePassword(PASSWORD)
  await frame.enterKey(secret)
  await frame.keepBackup(download)
  const address = await shownWallet(visitor)
  expect(address).toBe(pair.publicKey.toBase58())
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('link', { name: 'Export', exact: true }).click()
  await page.getByRole('button', { name: 'Show my key' }).click()
  await frame.agreeToExport()
  const text = await frame.showKey()
  const from = new PublicKey(address)
  const transfer = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' }).add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: new PublicKey(OTHER), lamports: 1 }),
  )
  transfer.sign(Keypair.fromSecretKey(bs58.decode(text)))
  expect(transfer.verifySignatures()).toBe(true)
  expect(await page.content()).not.toContain(text)
  await frame.press('Done')
  await page.getByText('Exported', { exact: true }).waitFor()
  const copy = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Copy this browser’s part' }).click()
  await frame.agree('Copy this device’s key share?', 'Make the copy')
  await frame.choosePassword('a password for the copy')
  expect((await copy).suggestedFilename()).toBe(`keybay-${address.slice(0, 8)}-device.json`)
  await openSecurity(visitor, address)
  await openAdvanced(visitor)
  await page.getByText('Imported; copies of the key made before still work').waitFor()
  await page.getByText('It has been seen whole').waitFor()
  await signMessage(visitor, 'Imported')
})
