/** Signs users up and in, for several tests that start from there. */
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import type { Sandbox } from './sandbox.js'
import type { Tab } from './visitor.js'

/** @param address an email address, or a phone number in E.164 */
export async function signInByCode({ accounts }: Sandbox, tab: Tab, address: string): Promise<void> {
  const { page, signInDialog } = tab
  await signInDialog.open()
  await signInDialog.sendCode(address)
  await signInDialog.code.fill(await accounts.code(address))
  await page.getByRole('button', { name: `Signed in as ${address}` }).waitFor()
  await signInDialog.dialog.waitFor({ state: 'hidden' })
}

/** Adds another passkey on the account page to the account of this name. The page needs an authenticator. */
export async function addPasskey({ page, account, signInDialog }: Tab, name: string): Promise<void> {
  await account.card('Passkeys').getByRole('button', { name: 'Add passkey' }).click()
  await signInDialog.agree(name)
  await page.getByText('Passkey added', { exact: true }).waitFor()
}

/** Signs up a new user, with a passkey of that name. The page needs an authenticator. */
export async function signUpByPasskey({ page, signInDialog }: Tab, name: string): Promise<void> {
  await signInDialog.open()
  await signInDialog.option('Use a passkey').click()
  await page.getByLabel('Your name, as your device will show it').fill(name)
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await signInDialog.dialog.waitFor({ state: 'hidden' })
}

/** Sets up an authenticator app on the account page, for a user without a second factor. */
export async function addAuthenticatorApp({
  page,
  account,
}: Tab): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const card = account.card('Two-step sign-in')
  await card.getByRole('button', { name: 'Authenticator app', exact: true }).click()
  const secret = (await card.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await card.getByLabel('Code', { exact: true }).fill(totpAt(secret, Date.now()))
  const codes = card.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  const recoveryCodes = await codes.allInnerTexts()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  return { secret, recoveryCodes }
}

/** Time step of an authenticator app, in ms; each code works once. */
const STEP_MS = 30_000

/**
 * Returns the next code of an authenticator app, from a later step than the previous one; moves the services' clocks to
 * it.
 */
export function getCodes(
  secret: string,
  services: readonly { readonly advanceClock: (ms: number) => Promise<unknown> }[],
): () => Promise<string> {
  let moved = 0
  return async () => {
    await Promise.all(services.map(service => service.advanceClock(STEP_MS)))
    moved += STEP_MS
    return totpAt(secret, Date.now() + moved)
  }
}
