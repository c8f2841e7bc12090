import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import type { BrowserContext } from 'playwright-core'
import { expect, it } from 'vitest'
import { countActions } from '../src/count-actions.js'
import { activeAddress, receiveAirdrop } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { agreeToSign, openAdvanced, openSecurity, openWallets, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { choose } from '../src/social.js'
import type { Visitor } from '../src/visitor.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({
  accounts: {},
  embeddedWallets: true,
  createOnLogin: 'users-without-wallets',
  social: true,
})

it('signing in gives a new user a wallet that signs, and two clicks back it up, which shows its address again', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await addAuthenticator(page)
  await signInByCode(sandbox, visitor, 'first@example.com')
  const nudge = page.getByText('This wallet has no backup.')
  await nudge.waitFor()
  await page.getByText('if this browser forgets its own, the wallet is lost').waitFor()
  const badge = page.getByRole('link', { name: 'No backup' })
  await badge.waitFor()
  const address = await activeAddress(visitor)
  await visitor.go('Receive')
  await nudge.waitFor()
  await page.getByText(address, { exact: true }).waitFor()
  await visitor.go('Overview')
  await receiveAirdrop(visitor)
  await visitor.go('Receive')
  await page.getByText('Back up your wallet to receive more').waitFor()
  await expect.poll(() => page.getByText(address, { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Back up now' }).click()
  await walletFrame(page).agree('Back up with a passkey', 'Back up')
  await page.getByText('The backup is there, and it opens').waitFor()
  await page.getByText(address, { exact: true }).waitFor()
  await expect.poll(() => nudge.count()).toBe(0)
  await expect.poll(() => badge.count()).toBe(0)
  await openSecurity(visitor, address)
  await page.getByText('2 of 3', { exact: true }).first().waitFor()
  // New shares need a new backup, which a passkey seals again.
  await openAdvanced(visitor)
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await walletFrame(page).agree('Back up with a passkey', 'Back up')
  await page.getByText('New parts are in place', { exact: true }).waitFor()
  await signMessage(visitor, 'It is there')
})

it('a visitor who chooses the embedded wallet signs in first, and is then connected with a new wallet', async () => {
  // The kit logs the first, refused attempt.
  const visitor = await sandbox.visit('/', { expectTrouble: /session_missing/ })
  const { page, connectDialog, signInDialog } = visitor
  await connectDialog.open()
  await connectDialog.choose('Keybay wallet')
  await signInDialog.sendCode('second@example.com')
  await signInDialog.code.fill(await sandbox.accounts.code('second@example.com'))
  await page.getByText('This wallet has no backup.').waitFor()
  await signMessage(visitor, 'Connected after the sign-in')
})

type SignIn = (visitor: Visitor) => Promise<void>

const byPhone: SignIn = async visitor => signInByCode(sandbox, visitor, '+41791234501')
const byHostToken: SignIn = async visitor => {
  const { page } = visitor
  await visitor.open('/lab')
  await page.getByLabel('User of the host').fill('nia')
  await page.getByRole('button', { name: 'Sign in with the host’s token' }).click()
  await page.getByRole('button', { name: 'Signed in as nia' }).waitFor()
  await visitor.go('Overview')
}

it.each([
  ['phone', byPhone],
  ['the token of the app’s own sign-in', byHostToken],
])('a new user of %s gets a wallet that signs', async (_, signIn) => {
  const visitor = await sandbox.visit()
  await signIn(visitor)
  await visitor.page.getByText('This wallet has no backup.').waitFor()
  await signMessage(visitor, 'Made at the sign-in')
})

/** Runs in each page before its scripts: configures the app to create a wallet for users who have another one, too. */
function createForAll() {
  const configure = () =>
    document.querySelector('meta[name="keybay:create-on-login"]')?.setAttribute('content', 'all-users')
  new MutationObserver(configure).observe(document, { childList: true, subtree: true })
}

it('a user who signs in by wallet gets an embedded one only where all users do, and that one signs', async () => {
  const visitor = await sandbox.visit()
  const { page, signInDialog, wallet } = visitor
  await signInDialog.open()
  await signInDialog.option('Sandbox Wallet').click()
  await wallet.approve('Sign in')
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await openWallets(visitor)
  await page.getByText('You have no wallet yet').waitFor()
  await visitor.context.addInitScript(createForAll)
  await visitor.open('/wallets')
  await page.getByRole('button', { name: 'Use them here' }).click()
  await signMessage(visitor, 'Made for all users')
})

const address = 'quick@example.com'
const CODE_LENGTH = 6

const byPasskey: SignIn = async ({ page, signInDialog }) => {
  await addAuthenticator(page)
  await signInDialog.open()
  await signInDialog.option('Use a passkey').click()
  await page.getByRole('button', { name: 'Create passkey' }).click()
}
const byGoogle: SignIn = async ({ page, signInDialog }) => {
  await signInDialog.open()
  const opened = page.waitForEvent('popup')
  await signInDialog.option('Google').click()
  await choose(await opened)
}
const byEmail: SignIn = async ({ signInDialog }) => {
  await signInDialog.open()
  await signInDialog.address.pressSequentially(address)
  await signInDialog.dialog.getByRole('button', { name: 'Continue' }).click()
  await signInDialog.code.pressSequentially(await sandbox.accounts.code(address))
}

it.each([
  ['a passkey', byPasskey, 0],
  ['Google', byGoogle, 0],
  ['email', byEmail, address.length + CODE_LENGTH],
])(
  'a new user of %s needs at most five clicks from the page that signs to the first verified signature',
  async (_, signIn, typed) => {
    let count: Awaited<ReturnType<typeof countActions>> | undefined
    const prepare = async (context: BrowserContext) => {
      count = await countActions(context)
    }
    const visitor = await sandbox.visit('/sign', { prepare })
    const { page } = visitor
    await signIn(visitor)
    await page.getByRole('button', { name: 'Sign message' }).click()
    await agreeToSign(visitor, 'message')
    await page.getByText('The signature is valid.').waitFor()
    const counted = count?.()
    expect(counted?.keys).toBe(typed)
    expect(counted?.clicks).toBeGreaterThan(2)
    expect(counted?.clicks).toBeLessThanOrEqual(5)
  },
)
