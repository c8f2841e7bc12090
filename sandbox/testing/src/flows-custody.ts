/** Steps with a custody wallet that several tests share. */
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { signInByCode } from './flows-accounts.js'
import { openMenu } from './pages.js'
import type { Sandbox, VisitOptions } from './sandbox.js'
import type { Tab } from './visitor.js'

export function openCustody({ page }: Tab): Promise<void> {
  return openMenu(page, 'Custody wallet', 'Custody wallet')
}

/** Signs a user in, in a new browser with a passkey device, and opens the page of the custody wallet. */
export async function custodyVisitor(sandbox: Sandbox, address: string, options?: VisitOptions) {
  const visitor = await sandbox.visit('/', options)
  const device = await addAuthenticator(visitor.page)
  await signInByCode(sandbox, visitor, address)
  await openCustody(visitor)
  return { visitor, device }
}

/** Creates a wallet by keyboard alone. @returns its Solana address */
export async function createCustodyWallet({ page }: Tab): Promise<string> {
  await page.getByRole('button', { name: 'Create wallet' }).focus()
  await page.keyboard.press('Enter')
  return firstAddress({ page })
}
export async function firstAddress({ page }: Pick<Tab, 'page'>): Promise<string> {
  return (await page.getByRole('list', { name: 'Accounts' }).locator('[title]').first().getAttribute('title')) ?? ''
}

/** Uses the wallet's accounts in the app, from the page of the wallet. */
export async function takeCustodyWallet({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Use it here' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Send' }).waitFor()
}

/** Returns the code in the newest mail that has one: a notice may come after it. */
export async function recoveryCode({ accounts }: Sandbox, address: string): Promise<string> {
  const text = await accounts.message(address, 'Recover your wallet')
  const [code] = /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(text) ?? []
  if (!code) throw new Error(`There is no recovery code in “${text}”`)
  return code
}
