/** What a user does with a custody wallet, on the way to what a test is about. */
import { addAuthenticator, type VirtualAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { signInByCode } from './flows-accounts.js'
import type { Sandbox, VisitOptions } from './sandbox.js'
import type { Tab, Visitor } from './visitor.js'

/** Through the menu in the header. */
export async function openCustody({ page }: Tab): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Signed in as/ })
    .click()
  await page.getByRole('banner').getByRole('link', { name: 'Custody wallet' }).click()
  await page.getByRole('heading', { name: 'Custody wallet', level: 1 }).waitFor()
}

/** A browser with passkeys of its own, in which somebody is signed in, on the page of the custody wallet. */
export async function custodyVisitor(
  sandbox: Sandbox,
  address: string,
  options?: VisitOptions,
): Promise<{ readonly visitor: Visitor; readonly device: VirtualAuthenticator }> {
  const visitor = await sandbox.visit('/', options)
  const device = await addAuthenticator(visitor.page)
  await signInByCode(sandbox, visitor, address)
  await openCustody(visitor)
  return { visitor, device }
}

/** On the page of who has none yet, by the keyboard alone. @returns the address on Solana */
export async function createCustodyWallet({ page }: Tab): Promise<string> {
  await page.getByRole('button', { name: 'Create wallet' }).focus()
  await page.keyboard.press('Enter')
  return firstAddress({ page })
}
/** @returns the address on Solana, as the page has it */
export async function firstAddress({ page }: Pick<Tab, 'page'>): Promise<string> {
  return (await page.getByRole('list', { name: 'Accounts' }).locator('[title]').first().getAttribute('title')) ?? ''
}

/** On the page of the wallet: its accounts are the app's from then on. */
export async function takeCustodyWallet({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Use it here' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Send' }).waitFor()
}

/** The code in the mail that came last. */
export async function recoveryCode({ accounts }: Sandbox, address: string): Promise<string> {
  const text = await accounts.message(address)
  const [code] = /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(text) ?? []
  if (!code) throw new Error(`There is no recovery code in “${text}”`)
  return code
}
